package granule.ip

import granule.arch._

/** ID register values of what is really implemented (spec 1.7). Absent features read as zero,
  * except that TGran4 and TGran64 say "present" with zero.
  */
case class IdRegisters(config: MmuConfig) {
  private val large = config.lpa2
  private val granules = config.granules.toSet

  val mmfr0: BigInt =
    Mmfr0.paRange.holding(MmuConfig.paRanges.indexOf(config.paWidth)) |
      Mmfr0.asidBits.holding(if (config.asidBits == 16) 2 else 0) |
      Mmfr0.tGran16.holding(if (!granules(14)) 0 else if (large) 2 else 1) |
      Mmfr0.tGran64.holding(if (granules(16)) 0 else 15) |
      Mmfr0.tGran4.holding(if (!granules(12)) 15 else if (large) 1 else 0)

  val mmfr1: BigInt =
    Mmfr1.hafdbs.holding(if (config.hardwareUpdates) 2 else 0) |
      Mmfr1.hpds.holding(1) |
      Mmfr1.pan.holding(3)

  val mmfr2: BigInt =
    Mmfr2.vaRange.holding(if (config.vaBits == 55) 2 else if (config.vaBits == 52) 1 else 0) |
      Mmfr2.ccidx.holding(1) |
      Mmfr2.st.holding(if (config.smallTables) 1 else 0) |
      Mmfr2.e0pd.holding(1)

  /** TCRX, S1PIE and D128 come together. AIE, which the architecture wants beside D128, is not
    * there for 64-bit descriptors: TCR2.AIE does nothing, and the field says so.
    */
  val mmfr3: BigInt =
    Seq(Mmfr3.tcrx, Mmfr3.s1pie, Mmfr3.d128).map(_.holding(if (config.tcr2) 1 else 0)).sum

  /** Invalidation by range. */
  val isar0: BigInt = Isar0.tlb.holding(2)
}
