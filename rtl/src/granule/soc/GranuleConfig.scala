package granule.soc

import granule.arch.MmuConfig
import granule.cache.{CacheConfig, Replacement}
import granule.device.{BridgeConfig, DmaConfig}

/** A whole system by name: every parameter of every block.
  *
  * @param name       also the name of the generated files.
  * @param resetPc    first instruction, a 32-bit physical address.
  * @param clockHz    frequency that software is told for delays and baud rates.
  * @param bootBytes  size of the boot memory, which a board fills with its loader; 0: none.
  *                   Requires: 0, or a power of two up to 64 KiB.
  * @param dma        a DMA engine behind an MMU of its own; None: no device but the CPU has memory.
  *                   Requires: beats and an ID of the caches' bus, 32 bits and one bit.
  * @param l2         a level-2 cache in front of memory; None: none.
  * @param simulation tells software that it runs in a simulator, where the UART's fastest
  *                   rate fits.
  */
case class GranuleConfig(
    name: String,
    mmu: MmuConfig,
    icache: CacheConfig,
    dcache: CacheConfig,
    resetPc: Long = 0x80000000L,
    clockHz: Int = 25000000,
    bootBytes: Int = 0,
    dma: Option[DmaConfig] = None,
    l2: Option[CacheConfig] = None,
    simulation: Boolean = true
) {
  require(
    bootBytes >= 0 && bootBytes <= 65536 && (bootBytes & (bootBytes - 1)) == 0,
    s"bootBytes is $bootBytes; use 0 or a power of two up to 65536"
  )
  require(mmu.fetchTlbEntries > 0, "fetchTlbEntries is 0; a system fetches: use 4 or more")
  for (bus <- dma.map(_.bus))
    require(
      bus.dataWidth == 32 && bus.idWidth == 1,
      s"the DMA engine's bus has dataWidth ${bus.dataWidth} and idWidth ${bus.idWidth}; " +
        "in a system it shares memory with the caches: use 32 and 1"
    )
}

object GranuleConfig {
  import Replacement._

  /** The cache of document 002: 32 KiB in 8 ways of one 4K page each, so one colour is enough. */
  val teaching: GranuleConfig = GranuleConfig(
    name = "teaching",
    mmu = MmuConfig(pmpEntries = 8),
    icache = CacheConfig(32 * 1024, ways = 8),
    dcache = CacheConfig(32 * 1024, ways = 8)
  )

  /** The machine that document 002 looked for: ways of 16 KiB, four times a 4K page. */
  val ulx3s: GranuleConfig = GranuleConfig(
    name = "ulx3s",
    mmu = MmuConfig(walkCacheEntries = 4, pmpEntries = 8),
    icache = CacheConfig(32 * 1024, ways = 2),
    dcache = CacheConfig(32 * 1024, ways = 2)
  )

  /** For a small FPGA: three granules, 48-bit addresses, range invalidation and the data cache of
    * `ulx3s`, whose ways are larger than a page, without what only saves time.
    */
  val small: GranuleConfig = GranuleConfig(
    name = "small",
    mmu = MmuConfig(
      sv32 = false,
      contiguous = false,
      hardwareUpdates = false,
      addressTranslate = false,
      tlbReadOut = false,
      asidBits = 8,
      fetchTlbEntries = 4,
      walkCacheEntries = 0
    ),
    icache = CacheConfig(4 * 1024, ways = 1),
    dcache = CacheConfig(32 * 1024, ways = 2)
  )

  /** The smallest: one granule, 39-bit addresses, none of the extras. */
  val minimal: GranuleConfig = GranuleConfig(
    name = "minimal",
    mmu = MmuConfig(
      paWidth = 36,
      vaBits = 39,
      granules = Seq(12),
      sv32 = false,
      contiguous = false,
      hardwareUpdates = false,
      addressTranslate = false,
      tlbReadOut = false,
      asidBits = 8,
      fetchTlbEntries = 4,
      dataTlbEntries = 4,
      walkCacheEntries = 0
    ),
    icache = CacheConfig(4 * 1024, ways = 1),
    dcache = CacheConfig(4 * 1024, ways = 1)
  )

  /** `teaching` with a DMA engine, which has one AXI ID. Its MMU remembers translations, too: so
    * software may post TLBIs, and spare it those of what no device uses.
    */
  val teachingDma: GranuleConfig = teaching.copy(
    name = "teaching_dma",
    mmu = teaching.mmu.copy(postedTlbis = 4),
    dma = Some(DmaConfig(bus = BridgeConfig(idWidth = 1)))
  )

  /** Everything: 52- and 56-bit addresses, all entry formats. */
  val wide: GranuleConfig = teaching.copy(
    name = "wide",
    mmu = MmuConfig(
      paWidth = 56,
      vaBits = 55,
      lpa2 = true,
      d128 = true,
      rv64 = true,
      smallTables = true
    )
  )

  /** VMSAv8-64 with 48-bit output, as most processors have it; for the translation vectors. */
  val vmsa48: GranuleConfig =
    teaching.copy(name = "vmsa48", mmu = MmuConfig(paWidth = 48, smallTables = true))

  /** For use; [[granule.lab]] has more, for comparisons and proofs. */
  val all: Seq[GranuleConfig] = Seq(minimal, small, teaching, teachingDma, ulx3s, wide, vmsa48)
}
