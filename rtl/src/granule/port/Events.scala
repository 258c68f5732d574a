package granule.port

import spinal.core._

/** Performance events: each Bool is high for one cycle per event (or for each cycle counted).
  * The order of [[Event.all]] is the number of the counter: event n is mhpmcounter(3 + n).
  */
case class Event(name: String, description: String)

object Event {
  val all: Seq[Event] = Seq(
    Event("kernel_cycles", "cycles spent in S-mode"),
    Event("user_cycles", "cycles spent in U-mode"),
    Event("l1i_access", "instruction cache lookups"),
    Event("l1i_miss", "instruction cache line fills"),
    Event("l1d_access", "data cache lookups by CPU and walker"),
    Event("l1d_miss", "data cache line fills"),
    Event("l1d_evict", "valid lines replaced by a fill"),
    Event("l1d_writeback", "dirty lines written back"),
    Event("l1d_alias_move", "lines found under another colour and moved out by a fill"),
    Event("itlb_access", "translations asked for by fetch"),
    Event("itlb_miss", "fetch translations that needed a walk"),
    Event("dtlb_access", "translations asked for by loads and stores"),
    Event("dtlb_miss", "data translations that needed a walk"),
    Event("walks", "walks started"),
    Event("walk_cycles", "cycles with a walk under way"),
    Event("walk_read_l0", "descriptors read at level 0 or above it"),
    Event("walk_read_l1", "descriptors read at level 1"),
    Event("walk_read_l2", "descriptors read at level 2"),
    Event("walk_read_l3", "descriptors read at level 3"),
    Event("tlbi_va", "invalidations by VA"),
    Event("tlbi_asid", "invalidations by ASID"),
    Event("tlbi_range", "invalidations by range"),
    Event("tlbi_all", "invalidations of everything"),
    Event("tlbi_cycles", "cycles with an invalidation under way"),
    Event("walk_restart", "walks restarted because an invalidation covered them"),
    Event("l1d_stall", "cycles in which the CPU waited for the data cache"),
    Event("walk_cached", "walks that began at a remembered table of the last level"),
    Event("walk_cached_upper", "walks that began at a remembered table above the last level"),
    Event("walk_single", "walks that read one descriptor")
  )
  def indexOf(name: String): Int = {
    val i = all.indexWhere(_.name == name)
    require(i >= 0, s"event '$name' does not exist; see Event.all")
    i
  }
}

/** The events of the MMU; the SoC spreads them over the counters. */
case class MmuEvents() extends Bundle {
  val itlbAccess, itlbMiss, dtlbAccess, dtlbMiss = Bool()
  val walk, walkCycle, walkRestart               = Bool()
  val walkRead                                   = Vec(Bool(), 4)
  val cachedLast, cachedUpper, walkSingle        = Bool()
  val tlbiVa, tlbiAsid, tlbiRange, tlbiAll       = Bool()
  val tlbiCycle                                  = Bool()
}

/** The events of the data cache. */
case class L1DataEvents() extends Bundle {
  val access, miss, evict, writeback, aliasMove, stall = Bool()
}

/** The events of the instruction cache. */
case class L1FetchEvents() extends Bundle {
  val access, miss = Bool()
}
