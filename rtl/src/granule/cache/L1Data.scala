package granule.cache

import granule.config.{CacheConfig, PhysicalMap}
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Level-1 data cache. */
class L1Data(config: CacheConfig, paWidth: Int, map: PhysicalMap) extends Component {
  val io = new Bundle {
    val cpu        = slave(L1DataPort())
    val walk       = slave(WalkMemoryPort(paWidth))
    val translate  = master(TranslatePort(paWidth))
    val axi        = master(Axi4(L1Axi(paWidth)))
    val maintain   = slave(L1MaintainPort())
    val events     = out(L1DataEvents())
    val stored     = master(Flow(StoreTrace(paWidth)))
    val asyncError = out(Bool())
  }
}
