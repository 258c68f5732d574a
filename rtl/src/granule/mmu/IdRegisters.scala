package granule.mmu

import granule.config.MmuConfig

/** ID register values of what is really implemented (spec 1.7). Absent features read as zero,
  * except that TGran4 and TGran64 say "present" with zero.
  */
case class IdRegisters(config: MmuConfig) {
  private def field(value: Int, lsb: Int): BigInt = BigInt(value) << lsb

  private val large    = config.lpa2
  private val granules = config.granules.toSet

  private val paRange  = field(MmuConfig.paRanges.indexOf(config.paWidth), 0)
  private val asidBits = field(if (config.asidBits == 16) 2 else 0, 4)
  private val tGran16  = field(if (!granules(14)) 0 else if (large) 2 else 1, 20)
  private val tGran64  = field(if (granules(16)) 0 else 15, 24)
  private val tGran4   = field(if (!granules(12)) 15 else if (large) 1 else 0, 28)

  val mmfr0: BigInt = paRange | asidBits | tGran16 | tGran64 | tGran4

  private val hafdbs = field(if (config.hardwareUpdates) 2 else 0, 0)
  private val hpds   = field(1, 12)
  private val pan    = field(3, 20)

  val mmfr1: BigInt = hafdbs | hpds | pan

  private val vaRange = field(if (config.vaBits == 55) 2 else if (config.vaBits == 52) 1 else 0, 16)
  private val ccidx   = field(1, 20)
  private val smallTables = field(if (config.smallTables) 1 else 0, 28)
  private val e0pd        = field(1, 60)

  val mmfr2: BigInt = vaRange | ccidx | smallTables | e0pd

  private def with128(lsb: Int) = field(if (config.d128) 1 else 0, lsb)

  /** TCRX, S1PIE and D128 come together. AIE, which the architecture wants beside D128, is not
    * there for 64-bit descriptors: TCR2.AIE does nothing, and the field says so.
    */
  val mmfr3: BigInt = Seq(0, 8, 32).map(with128).sum

  private val rangeTlbi = field(2, 56)

  val isar0: BigInt = rangeTlbi
}
