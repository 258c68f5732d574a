package granule.cache

import spinal.lib.bus.amba4.axi.Axi4Config

/** The AXI4 of the caches: 32 data bits, lines as INCR or WRAP bursts, single beats for uncached
  * accesses. Signals that nobody here uses are left out.
  */
object MemoryBus {
  def axiConfig(paWidth: Int): Axi4Config = Axi4Config(
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
