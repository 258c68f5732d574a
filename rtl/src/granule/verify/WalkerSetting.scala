package granule.verify

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu.{Walker, Walks}
import granule.options.{Pmp, PmpGuard, PmpOption}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A walker around which everything is anything: requests, registers, what the walk cache finds,
  * what memory answers, and invalidations; but one table format is in force, and what the walk
  * cache finds is of one level and stays. With physical memory protection its guard is around it,
  * whose entries are anything, and who asks besides is anything that waits as it is.
  */
abstract class WalkerSetting(config: MmuConfig) extends Component {
  val walker = Walker(config)
  val guard = config.pmp generate PmpGuard(config, ports = 1)
  val walks =
    if (config.pmp) PmpOption.around(guard, entries, Walks.of(walker)) else Walks.of(walker)
  val (port, memory) = (walks.port, walks.memory)
  val due = Setting.memory(memory)
  anyseq(port.cmd.valid)
  anyseq(port.cmd.payload)
  port.leaf.ready := True
  anyseq(walker.io.context)
  for (half <- walker.io.context.halves) assume(CountOne(half.tableFormat) === 1)
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
  if (config.pmp) {
    val question = guard.io.questions.head
    for (input <- Seq(question.asks, question.word, question.access, question.machine))
      anyseq(input)
    val held = RegNext(question.asks && !question.answer.valid) init False
    def told = question.word ## question.access ## question.machine
    assume(!(held && question.asks) || told === RegNext(told))
  }

  private def entries: Pmp = {
    val entries = Pmp(config.pmpEntries)
    anyseq(entries)
    entries
  }
}
