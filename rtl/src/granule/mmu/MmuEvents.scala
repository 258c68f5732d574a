package granule.mmu

import spinal.core._

/** The events of the MMU; the SoC spreads them over the counters. */
case class MmuEvents() extends Bundle {
  val itlbAccess, itlbMiss, dtlbAccess, dtlbMiss = Bool()
  val walk, walkCycle, walkRestart = Bool()
  val walkRead = Vec(Bool(), 4)
  val cachedLast, cachedUpper, walkSingle = Bool()
  val tlbiVa, tlbiAsid, tlbiRange, tlbiAll = Bool()
  val tlbiCycle = Bool()
}
