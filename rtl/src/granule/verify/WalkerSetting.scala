package granule.verify

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu.Walker
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A walker around which everything is anything: requests, registers, what the walk cache finds,
  * what memory answers, and invalidations; but one table format is in force, and what the walk
  * cache finds is of one level and stays.
  */
abstract class WalkerSetting(config: MmuConfig) extends Component {
  val walker = Walker(config)
  val memory = walker.io.memory
  val due = Setting.memory(memory)
  anyseq(walker.io.walk.cmd.valid)
  anyseq(walker.io.walk.cmd.payload)
  anyseq(walker.io.context)
  for (half <- walker.io.context.halves) assume(CountOne(half.tableFormat) === 1)
  if (config.pmp) anyseq(walker.io.pmp)
  anyseq(walker.io.invalidated.valid)
  anyseq(walker.io.invalidated.payload)
  if (config.walkCacheEntries > 0) {
    anyseq(walker.io.tables.found.valid)
    anyseq(walker.io.tables.found.payload)
    val (found, looked) = (walker.io.tables.found, RegNext(walker.io.tables.look) init True)
    assume(!found.valid || Setting.isTable(found.level, TableFormats(config)))
    assume(looked || found.valid === RegNext(found.valid) && found.level === RegNext(found.level))
    anyseq(walker.io.tables.pointer)
    anyseq(walker.io.tables.ready)
  } else walker.io.tables.absent()
}
