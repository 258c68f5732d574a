package granule.cache

import granule.config.{GranuleConfig, PhysicalMap}
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb._
import spinal.lib.bus.amba4.axi._

/** Both level-1 caches with their register block, as the SoC takes them.
  *
  * `fence` is FENCE.I: whatever its fields say, the data cache is cleaned and then the instruction
  * cache invalidated; `done` when both are.
  */
class CacheIp(config: GranuleConfig, map: PhysicalMap) extends Component {
  private val paWidth = config.mmu.paWidth
  val io = new Bundle {
    val fetch          = slave(L1FetchPort())
    val fetchTranslate = master(TranslatePort(paWidth))
    val fetchAxi       = master(Axi4ReadOnly(L1Axi(paWidth)))
    val fetchEvents    = out(L1FetchEvents())
    val data           = slave(L1DataPort())
    val dataTranslate  = master(TranslatePort(paWidth))
    val dataAxi        = master(Axi4(L1Axi(paWidth)))
    val dataEvents     = out(L1DataEvents())
    val stored         = master(Flow(StoreTrace(paWidth)))
    val walk           = slave(WalkMemoryPort(paWidth))
    val fence          = slave(L1MaintainPort())
    val apb            = slave(Apb3(CacheRegisters.apbConfig))
  }
}
