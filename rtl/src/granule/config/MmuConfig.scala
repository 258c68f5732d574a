package granule.config

/** Everything that is decided about an MMU before it is built.
  *
  * What software decides at run time (granule, VA size, ASIDs) is not here: it comes from TCR.
  *
  * @param paWidth         implemented output size in bits (PARange). Requires: one of 32, 36, 40,
  *                        42, 44, 48.
  * @param fetchTlbEntries entries of the micro TLB for instruction fetch. Requires: power of two.
  * @param dataTlbEntries  entries of the micro TLB for data. Requires: power of two.
  * @param asidBits        implemented ASID width. Requires: 8 or 16.
  * @param smallTables     FEAT_TTST: TnSZ up to 48 (47 with the 64K granule) instead of 39.
  * @param sweepLanes      TLB entries that an invalidation looks at in one cycle. Requires: power of
  *                        two, at most the entries of the smallest micro TLB.
  */
case class MmuConfig(
    paWidth: Int = 36,
    fetchTlbEntries: Int = 8,
    dataTlbEntries: Int = 16,
    asidBits: Int = 16,
    smallTables: Boolean = false,
    sweepLanes: Int = 1
) {
  private def isPow2(n: Int) = n > 0 && (n & (n - 1)) == 0
  require(
    MmuConfig.paRanges.contains(paWidth),
    s"paWidth is $paWidth; the architecture knows ${MmuConfig.paRanges.mkString(", ")}"
  )
  require(isPow2(fetchTlbEntries), s"fetchTlbEntries is $fetchTlbEntries; use a power of two")
  require(isPow2(dataTlbEntries), s"dataTlbEntries is $dataTlbEntries; use a power of two")
  require(
    isPow2(sweepLanes) && sweepLanes <= fetchTlbEntries.min(dataTlbEntries),
    s"sweepLanes is $sweepLanes; use a power of two up to ${fetchTlbEntries.min(dataTlbEntries)}"
  )
  require(asidBits == 8 || asidBits == 16, s"asidBits is $asidBits; use 8 or 16")
}

object MmuConfig {

  /** Output sizes by PARange / IPS code 0..5 (52 bits, code 6, comes with the `wide` formats). */
  val paRanges: Seq[Int] = Seq(32, 36, 40, 42, 44, 48)
}
