package granule.cpu

import spinal.core._

/** Why no instruction retires in a cycle; `none`: one retires. A cycle has exactly one reason, so
  * cycles are instructions and all reasons together. Numbers are those of [[PerfEvent.second]].
  */
object Stall extends SpinalEnum(binarySequential) {
  val none, icache, itlb, branch, flush, hazard, load, store, walk, divide, system, idle =
    newElement()

  val events: Seq[(SpinalEnumElement[Stall.type], PerfEvent)] = Seq(
    icache -> PerfEvent("stall_icache", "cycles lost: fetch waited for the instruction cache"),
    itlb -> PerfEvent("stall_itlb", "cycles lost: fetch waited for its translation"),
    branch -> PerfEvent("stall_branch", "cycles lost behind jumps and branches that steer fetch"),
    flush -> PerfEvent("stall_flush", "cycles lost to traps, and behind returns and fences"),
    hazard -> PerfEvent("stall_hazard", "cycles lost: an operand was not there yet"),
    load -> PerfEvent("stall_load", "cycles lost: a load waited for the data cache"),
    store -> PerfEvent("stall_store", "cycles lost: a store or atomic waited for the data cache"),
    walk -> PerfEvent("stall_walk", "cycles lost: a load or store waited for its translation"),
    divide -> PerfEvent("stall_divide", "cycles lost: a division was under way"),
    system -> PerfEvent("stall_system", "cycles lost: CSR instructions and fences run alone"),
    idle -> PerfEvent("stall_idle", "cycles in wfi")
  )
}

/** What the caches wait for, a cycle late, as the core needs it to tell [[Stall]]s apart.
  *
  * @field fetchTranslates  a fetch has no translation yet.
  * @field fetchFills       the instruction cache fills a line, or is busy otherwise.
  * @field dataTranslates   a load or store has no translation yet.
  */
case class CacheWaits() extends Bundle {
  val fetchTranslates, fetchFills, dataTranslates = Bool()
}
