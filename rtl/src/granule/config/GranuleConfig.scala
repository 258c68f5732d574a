package granule.config

/** A whole system by name: every parameter of every block.
  *
  * @param name       also the name of the generated files.
  * @param resetPc    first instruction, a 32-bit physical address.
  * @param clockHz    frequency that software is told for delays and baud rates.
  * @param bootBytes  size of the boot memory, which a board fills with its loader; 0: none.
  *                   Requires: 0, or a power of two up to 64 KiB.
  * @param dma        a DMA engine behind an MMU of its own; None: no device but the CPU has memory.
  *                   Requires: beats and an ID of the caches' bus, 32 bits and one bit.
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
    mmu = MmuConfig(pmpEntries = 8, completion = Completion.Suspected),
    icache = CacheConfig(16 * 1024, ways = 4),
    dcache = CacheConfig(32 * 1024, ways = 8)
  )

  /** The machine that document 002 looked for: ways of 16 KiB, four times a 4K page. */
  val ulx3s: GranuleConfig = GranuleConfig(
    name = "ulx3s",
    mmu = MmuConfig(walkCacheEntries = 4, pmpEntries = 8, completion = Completion.Suspected),
    icache = CacheConfig(8 * 1024, ways = 2),
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

  /** Its invalidations are complete before all entries were compared. */
  val vmsa48Suspects: GranuleConfig = withSuspects(vmsa48)

  /** With a TLB behind the micro TLBs. */
  private def withMainTlb(config: GranuleConfig, entries: Int) = config.copy(
    name = config.name + "_main",
    mmu = config.mmu.copy(completion = Completion.Suspected, mainTlbEntries = entries)
  )

  /** With a table in memory behind the TLBs: the machine of document 001. */
  private def withHashedTable(config: GranuleConfig) = config.copy(
    name = config.name + "_hashed",
    mmu = config.mmu.copy(hashedTable = true, pmpEntries = 0, completion = Completion.Compared)
  )

  /** For proofs (docs/verification.md): few entries, and nothing that proofs leave out. */
  val proof: GranuleConfig = minimal.copy(
    name = "proof",
    mmu = minimal.mmu.copy(hardwareUpdates = true, walkCacheEntries = 2)
  )
  private val proofGranules: GranuleConfig = proof.copy(
    name = "proof_granules",
    mmu = proof.mmu.copy(granules = Seq(12, 14))
  )
  private def withSuspects(config: GranuleConfig) = config.copy(
    name = config.name + "_suspects",
    mmu = config.mmu.copy(completion = Completion.Suspected)
  )
  private val proofMain: GranuleConfig = proofGranules.copy(
    name = "proof_main",
    mmu = withSuspects(proofGranules).mmu.copy(mainTlbEntries = 32, pmpEntries = 2)
  )
  private val proofPmp: GranuleConfig = proofGranules.copy(
    name = "proof_pmp",
    mmu = proofGranules.mmu.copy(pmpEntries = 2)
  )

  private def withoutWalkCache(config: GranuleConfig) =
    config.copy(name = config.name + "_nocache", mmu = config.mmu.copy(walkCacheEntries = 0))

  /** One granule built in, to see what the choice at run time costs. */
  private def fixed(granule: Int, name: String) = ulx3s.copy(
    name = s"fixed$name",
    mmu = unprotected.mmu.copy(granules = Seq(granule), sv32 = false)
  )

  /** `ulx3s` without what other MMUs have in the core, or not at all: what they compare with. */
  val unprotected: GranuleConfig = ulx3s.copy(
    name = "unprotected",
    mmu = ulx3s.mmu.copy(pmpEntries = 0, completion = Completion.Compared)
  )

  /** And without Sv32: what the fixed builds compare with. */
  val runtime: GranuleConfig =
    unprotected.copy(name = "runtime", mmu = unprotected.mmu.copy(sv32 = false))

  val all: Seq[GranuleConfig] = Seq(
    minimal,
    small,
    teaching,
    teachingDma,
    ulx3s,
    wide,
    vmsa48,
    vmsa48Suspects,
    withMainTlb(vmsa48, 256),
    withMainTlb(ulx3s, 256),
    withMainTlb(teaching, 1024),
    withHashedTable(vmsa48),
    withHashedTable(teaching),
    unprotected,
    proof,
    withSuspects(proof),
    proofGranules,
    withSuspects(proofGranules),
    proofMain,
    proofPmp,
    withoutWalkCache(wide),
    withoutWalkCache(vmsa48),
    runtime,
    fixed(12, "4k"),
    fixed(14, "16k"),
    fixed(16, "64k")
  ) ++ CacheExperiments.all ++ InvalidationExperiments.all

  def byName(name: String): GranuleConfig = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(
        s"configuration '$name' does not exist; choose one of ${all.map(_.name).mkString(", ")}"
      )
    )
}
