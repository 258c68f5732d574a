package granule.cache

import granule.config.CacheConfig
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb._

object CacheRegisters {
  val apbConfig: Apb3Config = Apb3Config(addressWidth = 12, dataWidth = 32, useSlaveError = false)
}

/** Register block of the caches and the sequencer of whole-cache maintenance. */
class CacheRegisters(icache: CacheConfig, dcache: CacheConfig) extends Component {
  val io = new Bundle {
    val apb        = slave(Apb3(CacheRegisters.apbConfig))
    val fence      = slave(L1MaintainPort())
    val data       = master(L1MaintainPort())
    val fetch      = master(L1MaintainPort())
    val asyncError = in(Bool())
  }
}
