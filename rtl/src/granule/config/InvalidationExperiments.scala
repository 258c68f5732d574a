package granule.config

/** Machines for docs/invalidation.md: a main TLB of three sizes, and what an invalidation does to
  * it.
  */
object InvalidationExperiments {
  private val policies = Seq(
    "exact" -> MainPolicy.Exact,
    "blocking" -> MainPolicy.Blocking,
    "hashed" -> MainPolicy.Hashed
  )

  val all: Seq[GranuleConfig] =
    for ((name, policy) <- policies; entries <- Seq(64, 256, 1024)) yield {
      val like = GranuleConfig.vmsa48
      like.copy(
        name = s"$name$entries",
        mmu = like.mmu.copy(
          completion = Completion.Suspected,
          mainTlbEntries = entries,
          mainPolicy = policy
        )
      )
    }
}
