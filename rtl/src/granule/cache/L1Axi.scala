package granule.cache

import spinal.lib.bus.amba4.axi.Axi4Config

/** The AXI4 bus of both caches: 32 data bits, one identifier. */
object L1Axi {
  def apply(paWidth: Int): Axi4Config = Axi4Config(
    addressWidth = paWidth,
    dataWidth = 32,
    idWidth = 1,
    useRegion = false,
    useLock = false,
    useCache = false,
    useQos = false,
    useProt = false
  )
}
