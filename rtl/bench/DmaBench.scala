package granule.bench

import granule.bridge.{BridgeBus, BridgeRegisters, DeviceMmu}
import granule.config.{DmaConfig, MmuConfig}
import granule.dma.{DmaEngine, DmaRegisters}
import granule.format.{MmuContext, TableFormats}
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.amba4.axi._

/** A DMA engine behind a DeviceMmu, for tests: `dma` and `dmaInterrupt` are the engine's, `apb` and
  * `interrupt` the bridge's.
  */
case class DmaBench(config: DmaConfig, mmu: MmuConfig) extends Component {
  val io = new Bundle {
    val bus = master(Axi4(BridgeBus.physical(config.bus, mmu.paWidth)))
    val apb = slave(Apb3(BridgeRegisters.apbConfig))
    val interrupt = out(Bool())
    val dma = slave(Apb3(DmaRegisters.apbConfig))
    val dmaInterrupt = out(Bool())
    val walk = master(WalkMemoryPort(mmu.paWidth, TableFormats(mmu).descriptorBits))
    val context = in(MmuContext())
    val invalidate = slave(InvalidatePort())
    val pmp = mmu.pmp generate in(Pmp(mmu.pmpEntries))
  }
  Axi4SpecRenamer(io.bus)

  private val engine = DmaEngine(config)
  private val translation = DeviceMmu(config.bus, mmu)
  engine.io.axi >> translation.io.client
  engine.io.apb <> io.dma
  io.dmaInterrupt := engine.io.interrupt
  translation.io.bus <> io.bus
  translation.io.apb <> io.apb
  io.interrupt := translation.io.interrupt
  translation.io.walk <> io.walk
  translation.io.context := io.context
  translation.io.invalidate <> io.invalidate
  if (mmu.pmp) translation.io.pmp := io.pmp
}
