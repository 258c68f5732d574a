package granule.mmu

import granule.config.MmuConfig

/** ID register values of what is really implemented (spec 1.7). Absent features read as zero,
  * except that TGran4 and TGran64 say "present" with zero.
  */
case class IdRegisters(config: MmuConfig) {
  private def field(value: Int, lsb: Int): BigInt = BigInt(value) << lsb

  private val paRange  = field(MmuConfig.paRanges.indexOf(config.paWidth), 0)
  private val asidBits = field(if (config.asidBits == 16) 2 else 0, 4)
  private val tGran16  = field(1, 20)

  val mmfr0: BigInt = paRange | asidBits | tGran16

  private val hpds = field(1, 12)
  private val pan  = field(3, 20)

  val mmfr1: BigInt = hpds | pan

  private val ccidx       = field(1, 20)
  private val smallTables = field(if (config.smallTables) 1 else 0, 28)
  private val e0pd        = field(1, 60)

  val mmfr2: BigInt = ccidx | smallTables | e0pd

  private val rangeTlbi = field(2, 56)

  val isar0: BigInt = rangeTlbi
}
