package granule.arch

/** What an invalidation does to a main TLB. The first is for use. The others are what two known
  * processors do, for comparison (docs/invalidation.md).
  */
sealed trait MainPolicy
object MainPolicy {

  /** What is covered goes, and nothing else does. Until it went it does not answer. */
  case object Exact extends MainPolicy

  /** All sets are read, whatever is covered; until then no walk begins, and the command is not
    * complete.
    */
  case object Blocking extends MainPolicy

  /** All entries with the hash of what is covered go at once. */
  case object Hashed extends MainPolicy
}

/** Everything that is decided about an MMU before it is built. What is left out of it is not in the
  * netlist, and the ID registers say so.
  *
  * What software decides at run time (granule, VA size, entry format, ASIDs) comes from TCR, TCR2
  * and satp.
  *
  * @param paWidth          implemented output size in bits (PARange); 52 and more imply FEAT_LPA.
  *                         Requires: one of 32, 36, 40, 42, 44, 48, 52 (with `lpa2` or granule 16),
  *                         56 (with `d128` or `rv64`).
  * @param vaBits           widest half of the address space. Requires: 39 to 48; 52 (FEAT_LVA); 55
  *                         (FEAT_LVA3, only with `d128`).
  * @param granules         log2 of the page sizes: some of 12, 14, 16; the first one stands for
  *                         reserved codes of TCR.TG0/TG1.
  * @param lpa2             FEAT_LPA2: TCR.DS. Requires: paWidth and vaBits of at least 52.
  * @param d128             FEAT_D128: 128-bit descriptors through TCR2. Requires: paWidth of 56.
  * @param sv32             32-bit RISC-V descriptors through satp. Requires: the 4K granule,
  *                         asidBits of 16, as satp holds 9, and paWidth of at least 34 (so 36 or
  *                         more), as addresses of Sv32 have 34 bits.
  * @param rv64             64-bit RISC-V descriptors through satp: Sv39 and, with 48 vaBits and up,
  *                         Sv48, with Svnapot. Requires: the 4K granule, asidBits of 16, paWidth of
  *                         56, as a page number reaches 56 bits, and `contiguous`.
  * @param smallTables      FEAT_TTST: TnSZ up to 48 (47 with the 64K granule) instead of 39.
  * @param contiguous       a contiguous group is one TLB entry.
  * @param hardwareUpdates  FEAT_HAFDBS: access flag and dirty state by compare-and-swap.
  * @param addressTranslate the AT operation with PAR.
  * @param tlbReadOut       registers that show the entries of the micro TLBs.
  * @param asidBits         implemented ASID width. Requires: 8 or 16.
  * @param fetchTlbEntries  entries of the micro TLB for fetch. Requires: power of two from 4; or 0
  *                         for a bridge, which has none.
  * @param dataTlbEntries   entries of the micro TLB for data. Requires: power of two from 4.
  * @param walkCacheEntries table entries that walks remember. Requires: 0 or a power of two from 2.
  * @param mainTlbEntries   entries of the TLB behind the micro TLBs. Requires: 0 or a power of two
  *                         from 32, and two sweepLanes.
  * @param mainPolicy       what an invalidation does to them.
  * @param hashedTable      a table of translations in memory is probed before a walk, and filled
  *                         afterwards. Requires: what [[granule.options.HashedTranslations]] says.
  * @param pmpEntries       entries of physical memory protection, which the CPU's CSRs hold and the
  *                         MMU checks. Requires: 0 to 16.
  * @param sweepLanes       entries, of all TLBs together, that an invalidation looks at in a cycle.
  *                         Requires: power of two, at most the entries of the smallest TLB.
  * @param postedTlbis      TLBIs that a queue takes from software that does not wait for each; they
  *                         may spare the CPU's MMU or that of devices. Requires: 0, or a power of
  *                         two from 2 to 8.
  */
case class MmuConfig(
    paWidth: Int = 36,
    vaBits: Int = 48,
    granules: Seq[Int] = Seq(12, 14, 16),
    lpa2: Boolean = false,
    d128: Boolean = false,
    sv32: Boolean = true,
    rv64: Boolean = false,
    smallTables: Boolean = false,
    contiguous: Boolean = true,
    hardwareUpdates: Boolean = true,
    addressTranslate: Boolean = true,
    tlbReadOut: Boolean = true,
    asidBits: Int = 16,
    fetchTlbEntries: Int = 8,
    dataTlbEntries: Int = 16,
    walkCacheEntries: Int = 8,
    mainTlbEntries: Int = 0,
    mainPolicy: MainPolicy = MainPolicy.Exact,
    hashedTable: Boolean = false,
    pmpEntries: Int = 0,
    sweepLanes: Int = 2,
    postedTlbis: Int = 0
) {
  private def isPow2(n: Int) = n > 0 && (n & (n - 1)) == 0
  require(
    MmuConfig.paRanges.contains(paWidth),
    s"paWidth is $paWidth; the architecture knows ${MmuConfig.paRanges.mkString(", ")}"
  )
  require(
    vaBits >= 39 && vaBits <= 48 || vaBits == 52 || vaBits == 55 && d128,
    s"vaBits is $vaBits; use 39 to 48, 52, or (with d128) 55"
  )
  require(
    granules.nonEmpty && granules.forall(Set(12, 14, 16)) && granules.distinct == granules,
    s"granules is ${granules.mkString(", ")}; use some of 12, 14, 16, each once"
  )
  require(
    !lpa2 || paWidth >= 52 && vaBits >= 52,
    s"lpa2 with paWidth $paWidth and vaBits $vaBits; both must be at least 52"
  )
  private val reach =
    if (d128 || rv64) 56 else if (lpa2 || granules.contains(16)) 52 else 48
  require(
    paWidth <= reach,
    s"paWidth is $paWidth, but the descriptors of this configuration reach $reach bits: 56 needs " +
      "d128 or rv64, 52 needs lpa2 or granule 16"
  )
  require(!d128 || paWidth == 56, s"d128 with paWidth $paWidth; it must be 56")
  require(!sv32 || granules.contains(12), "sv32 needs granule 12: its pages have 4 KiB")
  require(!sv32 || paWidth >= 34, s"sv32 with paWidth $paWidth; its addresses have 34 bits: use 36")
  for ((name, n) <- Seq("fetch" -> fetchTlbEntries, "data" -> dataTlbEntries))
    require(
      name == "fetch" && n == 0 || n > 2 && isPow2(n),
      s"${name}TlbEntries is $n; use a power of two from 4"
    )
  require(
    walkCacheEntries == 0 || walkCacheEntries > 1 && isPow2(walkCacheEntries),
    s"walkCacheEntries is $walkCacheEntries; use 0 or a power of two from 2"
  )
  require(
    pmpEntries >= 0 && pmpEntries <= 16,
    s"pmpEntries is $pmpEntries; use 0 to 16, which the CSRs pmpaddr0 to 15 can hold"
  )
  require(
    mainTlbEntries == 0 || mainTlbEntries >= 32 && isPow2(mainTlbEntries) &&
      sweepLanes == 2,
    s"mainTlbEntries is $mainTlbEntries with sweepLanes $sweepLanes; use 0, or a power of two " +
      "from 32 with 2"
  )
  private val smallest =
    Seq(fetchTlbEntries, dataTlbEntries, walkCacheEntries).filter(_ > 0).min
  require(
    isPow2(sweepLanes) && sweepLanes <= smallest,
    s"sweepLanes is $sweepLanes; use a power of two up to $smallest"
  )
  require(
    postedTlbis == 0 || postedTlbis >= 2 && postedTlbis <= 8 && isPow2(postedTlbis),
    s"postedTlbis is $postedTlbis; use 0, or a power of two from 2 to 8"
  )
  require(asidBits == 8 || asidBits == 16, s"asidBits is $asidBits; use 8 or 16")
  require(
    !rv64 || granules.contains(12) && asidBits == 16 && paWidth == 56 && contiguous,
    s"rv64 with granules ${granules.mkString(", ")}, asidBits $asidBits, paWidth $paWidth, " +
      s"contiguous $contiguous; use 12 among the granules, 16, 56 and true"
  )
  require(!sv32 || asidBits == 16, s"sv32 with asidBits $asidBits; satp has 9, so use 16")

  def mainTlb: Boolean = mainTlbEntries > 0
  def mainForgets: Boolean = mainTlb && mainPolicy == MainPolicy.Hashed

  /** Accesses are checked by physical memory protection. */
  def pmp: Boolean = pmpEntries > 0

  /** TLBIs may be posted, and may spare agents. */
  def posts: Boolean = postedTlbis > 0

  /** FEAT_LPA: 52-bit output with the 64K granule. */
  def lpa: Boolean = paWidth >= 52

  /** TCR2 exists, and with it indirect permissions and the other registers that it brings. */
  def tcr2: Boolean = d128

  /** The base of a range invalidation may count in steps of 64K (spec 8.4). */
  def largeRangeBase: Boolean = lpa2 || d128

  /** Bits of the widest descriptor. */
  def descriptorBits: Int = if (d128) 128 else 64
}

object MmuConfig {

  /** Output sizes by PARange / IPS code. */
  val paRanges: Seq[Int] = Seq(32, 36, 40, 42, 44, 48, 52, 56)
}
