package granule.lab

import granule.arch.MainPolicy
import granule.cache.{Aliases, CacheConfig, Replacement}
import granule.soc.GranuleConfig

/** All machines by name: for use, and for comparisons, tests and proofs. */
object Configurations {
  import GranuleConfig._

  /** With a TLB behind the micro TLBs. */
  private def withMainTlb(config: GranuleConfig, entries: Int) = config.copy(
    name = config.name + "_main",
    mmu = config.mmu.copy(mainTlbEntries = entries)
  )

  /** With a table in memory behind the TLBs: the machine of document 001. */
  private def withHashedTable(config: GranuleConfig) = config.copy(
    name = config.name + "_hashed",
    mmu = config.mmu.copy(hashedTable = true, pmpEntries = 0)
  )

  /** With a level-2 cache. */
  private val ulx3sL2 = ulx3s.copy(
    name = "ulx3s_l2",
    icache = CacheConfig(64 * 1024, ways = 2),
    l2 = Some(CacheConfig(256 * 1024, ways = 8))
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
  private val proofMain: GranuleConfig = proofGranules.copy(
    name = "proof_main",
    mmu = proofGranules.mmu.copy(mainTlbEntries = 32, pmpEntries = 2)
  )
  private val proofPmp: GranuleConfig = proofGranules.copy(
    name = "proof_pmp",
    mmu = proofGranules.mmu.copy(pmpEntries = 2)
  )

  /** And without what shows TLBs, so that AT is built alone. */
  private def withoutWalkCache(config: GranuleConfig) = config.copy(
    name = config.name + "_nocache",
    mmu = config.mmu.copy(walkCacheEntries = 0, tlbReadOut = false)
  )

  /** One granule built in, to see what the choice at run time costs. */
  private def fixed(granule: Int, name: String) = ulx3s.copy(
    name = s"fixed$name",
    mmu = unprotected.mmu.copy(granules = Seq(granule), sv32 = false)
  )

  /** `ulx3s` without what other MMUs have in the core, or not at all: what they compare with. */
  val unprotected: GranuleConfig = ulx3s.copy(
    name = "unprotected",
    mmu = ulx3s.mmu.copy(pmpEntries = 0)
  )

  /** And without Sv32: what the fixed builds compare with. */
  val runtime: GranuleConfig =
    unprotected.copy(name = "runtime", mmu = unprotected.mmu.copy(sv32 = false))

  // ---- document 002: what its loops cost on other data caches -----------------------------------

  private def machine(name: String, like: GranuleConfig, dcache: CacheConfig) =
    like.copy(name = name, dcache = dcache)

  /** Ways of four 4K pages, in each of the designs that `ulx3s` is one of; the larger one has room
    * for four hot lines in a set.
    */
  val designs: Seq[GranuleConfig] = Seq(
    machine("ulx3s_copies", ulx3s, ulx3s.dcache.copy(aliases = Aliases.Copies)),
    machine("ulx3s_physical", ulx3s, ulx3s.dcache.copy(aliases = Aliases.Physical)),
    machine("physical64k", ulx3s, CacheConfig(64 * 1024, ways = 4, aliases = Aliases.Physical))
  )

  /** The document's geometry with other replacement policies. */
  val policies: Seq[GranuleConfig] = Seq(
    machine("teaching_plru", teaching, teaching.dcache.copy(replacement = Replacement.TreePlru)),
    machine("teaching_nru", teaching, teaching.dcache.copy(replacement = Replacement.Nru)),
    machine("teaching_random", teaching, teaching.dcache.copy(replacement = Replacement.Random))
  )

  /** Other numbers of ways of one 4K page; `teaching` has eight. The data TLB holds a page for each
    * line of a set and one more.
    */
  val associativities: Seq[GranuleConfig] = Seq(2, 4, 16).map { ways =>
    val config = machine(s"ways$ways", teaching, CacheConfig(ways * 4096, ways))
    config.copy(mmu = config.mmu.copy(dataTlbEntries = 32))
  }

  private val caches = designs ++ policies ++ associativities

  // ---- docs/invalidation.md: a main TLB of three sizes, and what an invalidation does to it -----

  private val mainPolicies = Seq(
    "exact" -> MainPolicy.Exact,
    "blocking" -> MainPolicy.Blocking,
    "hashed" -> MainPolicy.Hashed
  )

  private val invalidation =
    for ((name, policy) <- mainPolicies; entries <- Seq(64, 256, 1024)) yield {
      val like = vmsa48
      like.copy(
        name = s"$name$entries",
        mmu = like.mmu.copy(
          mainTlbEntries = entries,
          mainPolicy = policy
        )
      )
    }

  val all: Seq[GranuleConfig] = Seq(
    minimal,
    small,
    teaching,
    teachingDma,
    ulx3s,
    wide,
    vmsa48,
    withMainTlb(vmsa48, 256),
    withMainTlb(ulx3s, 256),
    ulx3sL2,
    withMainTlb(teaching, 1024),
    withHashedTable(vmsa48),
    withHashedTable(teaching),
    unprotected,
    proof,
    proofGranules,
    proofMain,
    proofPmp,
    withoutWalkCache(wide),
    withoutWalkCache(vmsa48),
    runtime,
    fixed(12, "4k"),
    fixed(14, "16k"),
    fixed(16, "64k")
  ) ++ caches ++ invalidation

  def byName(name: String): GranuleConfig = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(
        s"configuration '$name' does not exist; choose one of ${all.map(_.name).mkString(", ")}"
      )
    )
}
