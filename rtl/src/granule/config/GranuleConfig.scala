package granule.config

/** A whole system by name: every parameter of every block.
  *
  * @param name       also the name of the generated files.
  * @param resetPc    first instruction, a 32-bit physical address.
  * @param clockHz    frequency that software is told for delays and baud rates.
  * @param bootBytes  size of the boot memory, which a board fills with its loader; 0: none.
  *                   Requires: 0, or a power of two up to 64 KiB.
  * @param simulation tells software that it runs in a simulator, where the UART's fastest rate fits.
  */
case class GranuleConfig(
    name: String,
    mmu: MmuConfig,
    icache: CacheConfig,
    dcache: CacheConfig,
    resetPc: Long = 0x80000000L,
    clockHz: Int = 25000000,
    bootBytes: Int = 0,
    simulation: Boolean = true
) {
  require(
    bootBytes >= 0 && bootBytes <= 65536 && (bootBytes & (bootBytes - 1)) == 0,
    s"bootBytes is $bootBytes; use 0 or a power of two up to 65536"
  )
}

object GranuleConfig {
  import Replacement._

  /** The cache of document 002: 32 KiB in 8 ways of one 4K page each, so one colour is enough. */
  val teaching: GranuleConfig = GranuleConfig(
    name = "teaching",
    mmu = MmuConfig(),
    icache = CacheConfig(16 * 1024, ways = 4),
    dcache = CacheConfig(32 * 1024, ways = 8)
  )

  /** The machine that document 002 looked for: ways of 16 KiB, four times a 4K page. */
  val ulx3s: GranuleConfig = GranuleConfig(
    name = "ulx3s",
    mmu = MmuConfig(),
    icache = CacheConfig(8 * 1024, ways = 2),
    dcache = CacheConfig(32 * 1024, ways = 2)
  )

  /** 48-bit output for the translation vectors; unit tests of the MMU run on it. */
  val wide: GranuleConfig =
    teaching.copy(name = "wide", mmu = MmuConfig(paWidth = 48, smallTables = true))

  val all: Seq[GranuleConfig] = Seq(teaching, ulx3s, wide)

  def byName(name: String): GranuleConfig = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(
        s"configuration '$name' does not exist; choose one of ${all.map(_.name).mkString(", ")}"
      )
    )
}
