package granule.soc

import granule.cache.{L1DataEvents, L1FetchEvents}
import granule.cpu.{PerfEvent, Stall}
import granule.mmu.MmuEvents
import spinal.core._

/** The events of all blocks in the order of [[PerfEvent.all]], the order of the counters. Those of
  * caches and MMU are a cycle late, because many are known at the end of their cycle; not more,
  * so that a CSR that is read after an access counts it. An event that no block drives, or a name
  * that is no event, stops the generation.
  */
object EventWires {
  def apply(
      privilege: Bits,
      fetch: L1FetchEvents,
      data: L1DataEvents,
      translation: MmuEvents
  ): Bits = {
    val mmu = RegNext(translation)
    val drivers: Map[String, Bool] = Map(
      "kernel_cycles" -> (privilege === 1),
      "user_cycles" -> (privilege === 0),
      "l1i_access" -> fetch.access,
      "l1i_miss" -> fetch.miss,
      "l1d_access" -> data.access,
      "l1d_miss" -> data.miss,
      "l1d_evict" -> data.evict,
      "l1d_writeback" -> data.writeback,
      "l1d_alias_move" -> data.aliasMove,
      "itlb_access" -> mmu.itlbAccess,
      "itlb_miss" -> mmu.itlbMiss,
      "dtlb_access" -> mmu.dtlbAccess,
      "dtlb_miss" -> mmu.dtlbMiss,
      "walks" -> mmu.walk,
      "walk_cycles" -> mmu.walkCycle,
      "walk_read_l0" -> mmu.walkRead(0),
      "walk_read_l1" -> mmu.walkRead(1),
      "walk_read_l2" -> mmu.walkRead(2),
      "walk_read_l3" -> mmu.walkRead(3),
      "tlbi_va" -> mmu.tlbiVa,
      "tlbi_asid" -> mmu.tlbiAsid,
      "tlbi_range" -> mmu.tlbiRange,
      "tlbi_all" -> mmu.tlbiAll,
      "tlbi_cycles" -> mmu.tlbiCycle,
      "walk_restart" -> mmu.walkRestart,
      "l1d_stall" -> data.stall,
      "walk_cached" -> mmu.cachedLast,
      "walk_cached_upper" -> mmu.cachedUpper,
      "walk_single" -> mmu.walkSingle
    )
    val names = PerfEvent.all.map(_.name)
    require(
      drivers.keySet == names.toSet,
      "events without a driver or drivers without an event: " +
        ((drivers.keySet diff names.toSet) ++ (names.toSet diff drivers.keySet)).mkString(", ") +
        "; PerfEvent.all and EventWires must name the same events"
    )
    B(names.map(drivers))
  }

  /** What the counters count: bit n of `second` chooses the second event of counter 3 + n. */
  def chosen(first: Bits, second: Bits, stall: Stall.C): Bits = {
    val reasons = PerfEvent.second.keys.toSeq.sorted.zip(Stall.events.map(stall === _._1)).toMap
    B(first.asBools.zipWithIndex.map { case (event, n) =>
      reasons.get(n).fold(event)(reason => Mux(second(n), reason, event))
    })
  }
}
