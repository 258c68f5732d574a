package granule.mmu

import spinal.core._
import spinal.lib._

/** What a [[Walker]] tells the counters ([[WalkEvents]]). A direct access is no walk.
  */
private[mmu] object WalkCounting {
  def apply(walker: Walker): Unit = {
    import walker.{cached, io, isIn, next, readTaken, reads, remembered, walk}
    val formats = walker.geometry.formats
    val config = formats.config
    val begins = io.walk.cmd.fire

    // That a read was taken is known late in its cycle; it is counted in the next one.
    def late(event: Bool) = RegNext(event) init False

    io.events.walk := begins
    io.events.cycle := !isIn(walker.State.idle)
    io.events.restart := io.walk.dropped
    if (config.pmp) {
      io.events.walk clearWhen io.walk.cmd.direct
      for (event <- Seq(io.events.cycle, io.events.restart)) event clearWhen walk.request.direct
    }
    for ((event, l) <- io.events.read.zipWithIndex) {
      val counted = if (l == 0) formats.levels.filter(_ <= 0) else Seq(l)
      event := late(readTaken && counted.map(level => next.level(formats.code(level))).orR)
    }
    io.events.single := (io.walk.leaf.valid || io.walk.fault.valid) && reads === 1
    if (cached) {
      val found = readTaken && reads === 0 && remembered
      val last = io.tables.found.level(formats.code(formats.lastLevel))
      io.events.cachedLast := late(found && last)
      io.events.cachedUpper := late(found && !last)
    } else {
      io.events.cachedLast := False
      io.events.cachedUpper := False
    }
  }
}
