package granule.device

import granule.arch.{MmuConfig, MmuContext, TableFormats}
import granule.mmu.{InvalidatePort, WalkMemoryPort}
import granule.options.Pmp
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.amba4.axi._

/** A DMA engine with virtual addresses, as a system takes it: [[DmaEngine]] behind a [[DeviceMmu]].
  *
  * Ports: `dma` and `dmaInterrupt` are the engine's registers and interrupt, `apb` and `interrupt`
  * the bridge's; the others are those of DeviceMmu. Latencies are the sums of both.
  */
case class VirtualDma(config: DmaConfig, mmu: MmuConfig) extends Component {
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

object VirtualDma {

  /** With the signal names of the AXI specification, as bus models of test benches want them. */
  def withAxiNames(config: DmaConfig, mmu: MmuConfig): VirtualDma = {
    val unit = VirtualDma(config, mmu)
    Axi4SpecRenamer(unit.io.bus)
    unit
  }
}
