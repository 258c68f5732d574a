package granule.device

import granule.arch.MmuConfig

/** Everything that is decided about an AXI bridge before it is built.
  *
  * @param dataWidth   bits of a beat. Requires: 32, 64 or 128.
  * @param idWidth     bits of an AXI ID. Requires: 1 to 8.
  * @param streams     rows of the context table; AxUSER has the number of a row. Requires: a power
  *                    of two from 2 to 16.
  * @param tlbEntries  entries of the micro TLB. Requires: a power of two from 4.
  * @param waiting     reads, and as many writes, that may wait for a walk, a fault's end or an
  *                    older one of their ID. Requires: 8 or 16: five places are taken by the
  *                    pipeline, so fewer would cost bubbles.
  * @param outstanding reads, and as many writes, that the bus owes an answer to. Requires: a power
  *                    of two from 8.
  * @param faults      entries of the fault queue. Requires: a power of two from 2.
  */
case class BridgeConfig(
    dataWidth: Int = 32,
    idWidth: Int = 4,
    streams: Int = 8,
    tlbEntries: Int = 8,
    waiting: Int = 8,
    outstanding: Int = 8,
    faults: Int = 8
) {
  require(Set(32, 64, 128)(dataWidth), s"dataWidth is $dataWidth; use 32, 64 or 128")
  require(idWidth >= 1 && idWidth <= 8, s"idWidth is $idWidth; use 1 to 8")
  for (
    (name, value, least) <- Seq(
      ("streams", streams, 2),
      ("tlbEntries", tlbEntries, 4),
      ("waiting", waiting, 8),
      ("outstanding", outstanding, 8),
      ("faults", faults, 2)
    )
  )
    require(
      value >= least && (value & (value - 1)) == 0,
      s"$name is $value; use a power of two from $least"
    )
  require(streams <= 16, s"streams is $streams; use at most 16")
  require(
    waiting <= 16 && waiting <= outstanding,
    s"waiting is $waiting; use 8 or 16, and at most outstanding, which is $outstanding"
  )

  /** The MMU's parameters as they are for the bridge's micro TLB and its invalidations: it is the
    * data TLB, and there is nothing else to sweep.
    */
  def tlb(mmu: MmuConfig): MmuConfig = mmu.copy(
    addressTranslate = false,
    tlbReadOut = false,
    fetchTlbEntries = 0,
    dataTlbEntries = tlbEntries,
    walkCacheEntries = 0,
    mainTlbEntries = 0,
    sweepLanes = 1
  )
}
