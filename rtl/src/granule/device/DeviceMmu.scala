package granule.device

import granule.arch.{MmuConfig, MmuContext, TableFormats}
import granule.mmu._
import granule.options.{Pmp, PmpGuard, PmpOption}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.amba4.axi._

/** The MMU of devices: an [[AxiBridge]] and a walker of its own.
  *
  * Ports: those of the bridge, without the walker's; `walk`, where the walker reads tables;
  * `context`, the registers of the CPU's MMU, of which a stream replaces the root; `pmp`, what
  * physical memory protection says. An invalidation goes to bridge and walker in the same cycle;
  * `done` waits for both.
  *
  * Latency: that of the bridge; a miss costs the walk that the CPU's walker would make.
  */
case class DeviceMmu(config: BridgeConfig, mmu: MmuConfig) extends Component {
  require(
    mmu.walkCacheEntries == 0 && !mmu.mainTlb && !mmu.hashedTable,
    s"a device has a walker and nothing else; walkCacheEntries is ${mmu.walkCacheEntries}, " +
      "mainTlbEntries or hashedTable may be set: use DeviceMmu.tables(mmu)"
  )
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

  private val bridge = AxiBridge(config, mmu)
  private val walker = Walker(mmu)
  walker.io.tables.absent()
  bridge.io.client <> io.client
  bridge.io.bus <> io.bus
  bridge.io.apb <> io.apb
  io.interrupt := bridge.io.interrupt
  bridge.io.shared := io.context

  private val walks =
    if (!mmu.pmp) Walks.of(walker)
    else {
      val guard = PmpGuard(mmu, ports = 1).setName("pmp")
      guard.io.questions.foreach(_.idle())
      PmpOption.around(guard, io.pmp, Walks.of(walker))
    }
  walks.memory <> io.walk
  walks.port <> bridge.io.walk.walk
  walker.io.context := DecodedContext.of(bridge.io.walk.root.in(io.context), formats)

  bridge.io.invalidate.cmd << io.invalidate.cmd
  private val command = io.invalidate.cmd
  walker.io.invalidated.valid := command.fire
  walker.io.invalidated.payload := InvalidateScope.concerns(command.payload, walker.io.underWay)
  private val bridgeDone = RegInit(False) setWhen bridge.io.invalidate.done
  io.invalidate.done := (bridgeDone || bridge.io.invalidate.done) && !walker.io.underWay.mayStore
  bridgeDone clearWhen io.invalidate.done
}

object DeviceMmu {

  /** The MMU's parameters as they are for the walker of devices: the same tables, and nothing that
    * remembers them.
    */
  def tables(mmu: MmuConfig): MmuConfig =
    mmu.copy(walkCacheEntries = 0, mainTlbEntries = 0, hashedTable = false, postedTlbis = 0)

  /** With the names of AXI's specification on both buses. */
  def withAxiNames(config: BridgeConfig, mmu: MmuConfig): DeviceMmu = {
    val unit = DeviceMmu(config, mmu)
    Axi4SpecRenamer(unit.io.client)
    Axi4SpecRenamer(unit.io.bus)
    unit
  }
}
