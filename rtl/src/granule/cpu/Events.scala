package granule.cpu

import spinal.core._

/** Performance events: each Bool is high for one cycle per event (or for each cycle counted).
  * The order of [[PerfEvent.all]] is the number of the counter: event n is mhpmcounter(3 + n), and
  * mhpmevent(3 + n) holds n + 1. Some counters have a `second` event, which its bit 5 chooses.
  */
case class PerfEvent(name: String, description: String)

object PerfEvent {
  val all: Seq[PerfEvent] = Seq(
    PerfEvent("kernel_cycles", "cycles spent in S-mode"),
    PerfEvent("user_cycles", "cycles spent in U-mode"),
    PerfEvent("l1i_access", "instruction cache lookups"),
    PerfEvent("l1i_miss", "instruction cache line fills"),
    PerfEvent("l1d_access", "data cache lookups by CPU and walker"),
    PerfEvent("l1d_miss", "data cache line fills"),
    PerfEvent("l1d_evict", "valid lines replaced by a fill"),
    PerfEvent("l1d_writeback", "dirty lines written back"),
    PerfEvent("l1d_alias_move", "lines found under another colour and moved out by a fill"),
    PerfEvent("itlb_access", "translations asked for by fetch"),
    PerfEvent("itlb_miss", "fetch translations that the micro TLB did not have"),
    PerfEvent("dtlb_access", "translations asked for by loads and stores"),
    PerfEvent("dtlb_miss", "data translations that the micro TLB did not have"),
    PerfEvent("walks", "walks started; not what a main TLB answers"),
    PerfEvent("walk_cycles", "cycles with a walk under way"),
    PerfEvent("walk_read_l0", "descriptors read at level 0 or above it"),
    PerfEvent("walk_read_l1", "descriptors read at level 1"),
    PerfEvent("walk_read_l2", "descriptors read at level 2"),
    PerfEvent("walk_read_l3", "descriptors read at level 3"),
    PerfEvent("tlbi_va", "invalidations by VA"),
    PerfEvent("tlbi_asid", "invalidations by ASID"),
    PerfEvent("tlbi_range", "invalidations by range"),
    PerfEvent("tlbi_all", "invalidations of everything"),
    PerfEvent("tlbi_cycles", "cycles with an invalidation under way"),
    PerfEvent("walk_restart", "walks that ended because an invalidation concerned them"),
    PerfEvent("l1d_stall", "cycles in which the CPU waited for the data cache"),
    PerfEvent("walk_cached", "walks that began at a remembered table of the last level"),
    PerfEvent("walk_cached_upper", "walks that began at a remembered table above the last level"),
    PerfEvent("walk_single", "walks that read one descriptor")
  )

  /** Stalls, on neighbouring counters of events that one seldom wants beside them. */
  val firstStall: Int = indexOf("walk_read_l0")
  lazy val second: Map[Int, PerfEvent] =
    Stall.events.zipWithIndex.map { case ((_, event), n) => firstStall + n -> event }.toMap
  val chooseSecond = 5 // bit of mhpmevent

  def indexOf(name: String): Int = {
    val i = all.indexWhere(_.name == name)
    require(i >= 0, s"event '$name' does not exist; see PerfEvent.all")
    i
  }
}
