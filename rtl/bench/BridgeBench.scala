package granule.bench

import granule.bridge.AxiBridge
import granule.bridge.BridgeBus
import granule.bridge.BridgeRegisters
import granule.config.{BridgeConfig, MmuConfig}
import granule.format.{MmuContext, TableFormats}
import granule.port._
import granule.tlb.InvalidateScope
import granule.walk.{DecodedContext, Walker}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.amba4.axi._

/** An AxiBridge with a walker of its own, for tests. `memory` is the walker's; an invalidation goes
  * to both in the same cycle, and `done` waits for both.
  */
case class BridgeBench(config: BridgeConfig, mmu: MmuConfig) extends Component {
  require(mmu.walkCacheEntries == 0 && !mmu.mainTlb, "the bench has a walker and nothing else")
  private val formats = TableFormats(mmu)

  val io = new Bundle {
    val client = slave(Axi4(BridgeBus.virtual(config)))
    val bus = master(Axi4(BridgeBus.physical(config, mmu.paWidth)))
    val apb = slave(Apb3(BridgeRegisters.apbConfig))
    val interrupt = out(Bool())
    val walk = master(WalkMemoryPort(mmu.paWidth, formats.descriptorBits))
    val context = in(MmuContext())
    val invalidate = slave(InvalidatePort())
    val pmp = mmu.pmp generate in(Pmp(mmu.pmpEntries))
  }
  Axi4SpecRenamer(io.client)
  Axi4SpecRenamer(io.bus)

  private val bridge = AxiBridge(config, mmu)
  private val walker = Walker(mmu)
  bridge.io.client <> io.client
  bridge.io.bus <> io.bus
  bridge.io.apb <> io.apb
  io.interrupt := bridge.io.interrupt
  bridge.io.shared := io.context

  walker.io.memory <> io.walk
  walker.io.walk <> bridge.io.walk.walk
  walker.io.context := DecodedContext.of(bridge.io.walk.root.in(io.context), formats)
  if (mmu.pmp) walker.io.pmp := io.pmp

  bridge.io.invalidate.cmd << io.invalidate.cmd
  private val command = io.invalidate.cmd
  walker.io.invalidated.valid := command.fire
  walker.io.invalidated.payload := InvalidateScope.concerns(command.payload, walker.io.underWay)
  private val bridgeDone = RegInit(False) setWhen bridge.io.invalidate.done
  io.invalidate.done := (bridgeDone || bridge.io.invalidate.done) && !walker.io.underWay.mayStore
  bridgeDone clearWhen io.invalidate.done
}
