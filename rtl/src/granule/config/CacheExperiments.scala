package granule.config

/** Machines for the experiments on document 002: what its loops cost on other data caches. */
object CacheExperiments {
  import GranuleConfig.{teaching, ulx3s}

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

  val all: Seq[GranuleConfig] = designs ++ policies ++ associativities
}
