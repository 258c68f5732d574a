package granule.mmu

import granule.config.MmuConfig
import granule.format.{DescriptorFormat, Vmsa64}
import granule.port._
import granule.tlb.InvalidateSweep
import granule.walk.{WalkRequest, Walker}
import spinal.core._
import spinal.lib._

/** Translation for one CPU: a micro TLB each for fetch and data, and the walker that they share.
  *
  * {{{
  *   fetch ──> TranslateUnit ──┐ walk requests         ┌──> walk (descriptor reads)
  *             (micro TLB)     ├──────────> Walker ────┘
  *   data ───> TranslateUnit ──┘ <── leaf, fault ──┘
  *                  ^ sweep              ^ kill
  *   invalidate ─> InvalidateSweep ──────┘
  * }}}
  *
  * Latency: a hit takes no cycle. A miss is answered k * (N + 1) + 4 cycles after it appeared, a
  * fault one cycle earlier, for k descriptors that the memory port answers N cycles after it took
  * them. An invalidation takes the cycles of [[InvalidateSweep]], and holds no access and no walk
  * back.
  */
case class Mmu(config: MmuConfig, format: DescriptorFormat = Vmsa64.format) extends Component {
  val io = new Bundle {
    val fetch      = slave(TranslatePort(config.paWidth))
    val data       = slave(TranslatePort(config.paWidth))
    val walk       = master(WalkMemoryPort(config.paWidth))
    val invalidate = slave(InvalidatePort())
    val context    = in(MmuContext())
    val events     = out(MmuEvents())
  }

  private val fetch  = TranslateUnit(config, config.fetchTlbEntries, fetch = true, format)
  private val data   = TranslateUnit(config, config.dataTlbEntries, fetch = false, format)
  private val walker = Walker(config, format)
  private val sweep  = InvalidateSweep(config, format)

  fetch.io.port <> io.fetch
  data.io.port <> io.data
  walker.io.memory <> io.walk
  walker.io.context := io.context
  sweep.io.port <> io.invalidate
  walker.io.invalidated << sweep.io.accepted

  /** One walk at a time; the port that was not served last goes first. `orphan`: the command that
    * the walk is for was answered without it, because the context changed; its end concerns nobody.
    */
  private val share = new Area {
    val forData = Reg(Bool()) init False
    val orphan  = Reg(Bool()) init False
    val request = walker.io.walk.cmd
    val both    = fetch.io.request.valid && data.io.request.valid
    val pick    = both ? !forData | data.io.request.valid

    request.valid          := fetch.io.request.valid || data.io.request.valid
    request.payload        := pick ? data.io.request.payload | fetch.io.request.payload
    data.io.request.ready  := request.ready && pick
    fetch.io.request.ready := request.ready && !pick

    when(request.fire)(forData := pick)
    when(request.ready)(orphan := False)
      .elsewhen(forData ? io.data.cmd.fire | io.fetch.cmd.fire)(orphan := True)
    val faultValid  = RegNext(walker.io.walk.fault.valid) init False
    val faultStatus = RegNextWhen(walker.io.walk.fault.payload, walker.io.walk.fault.valid)
  }

  private val leaf = walker.io.walk.leaf.payload
  for ((unit, mine) <- Seq(data -> share.forData, fetch -> !share.forData)) {
    unit.io.context := io.context
    unit.io.step << sweep.io.step
    unit.io.scope := sweep.io.scope
    val next = walker.io.walk.leafNext && mine
    unit.io.probe.valid   := RegNext(next) init False
    unit.io.probe.span    := RegNext(leaf.mapping.span.andMask(next)) init 0
    unit.io.probe.global  := RegNext(leaf.global && next) init False
    unit.io.leaf.valid    := walker.io.walk.leaf.valid && mine && !share.orphan
    unit.io.leaf.payload  := leaf
    unit.io.fault.valid   := share.faultValid && mine && !share.orphan
    unit.io.fault.payload := share.faultStatus
  }

  private val events = new Area {
    def translated(port: TranslatePort) =
      port.cmd.fire && !port.cmd.untranslated && io.context.sctlr(0)

    /** A walk that starts again is not another miss. */
    def miss(unit: TranslateUnit, port: TranslatePort) = {
      val counted = Reg(Bool()) init False
      when(unit.io.request.fire)(counted := True)
      when(port.cmd.fire)(counted        := False)
      unit.io.request.fire && !counted
    }
    io.events.itlbAccess  := translated(io.fetch)
    io.events.dtlbAccess  := translated(io.data)
    io.events.itlbMiss    := miss(fetch, io.fetch)
    io.events.dtlbMiss    := miss(data, io.data)
    io.events.walk        := walker.io.events.walk
    io.events.walkCycle   := walker.io.events.cycle
    io.events.walkRestart := walker.io.events.restart
    io.events.walkRead    := walker.io.events.read

    private val sent = sweep.io.accepted
    private def kind(k: SpinalEnumElement[InvalidateKind.type]*) =
      sent.valid && k.map(sent.kind === _).orR
    io.events.tlbiVa    := kind(InvalidateKind.va, InvalidateKind.vaAllAsids)
    io.events.tlbiAsid  := kind(InvalidateKind.asid)
    io.events.tlbiRange := kind(InvalidateKind.range, InvalidateKind.rangeAllAsids)
    io.events.tlbiAll   := kind(InvalidateKind.all)
    io.events.tlbiCycle := sweep.io.busy
  }
}
