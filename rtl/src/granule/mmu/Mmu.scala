package granule.mmu

import granule.arch.{Checks, MmuConfig, MmuContext, TableFormats}
import spinal.core._
import spinal.lib._

/** Translation for one CPU: a micro TLB each for fetch and data, and the walker that they share.
  *
  * {{{
  *   fetch ──> TranslateUnit ──┐ walk requests         ┌──> walk (descriptor reads, swaps)
  *             (micro TLB)     ├──────────> Walker ────┘
  *   data ───> TranslateUnit ──┤ <── leaf, fault ─ ^
  *                  ^ clear              ^ kill  WalkCache
  *                  │                    │         ^ clear
  *   invalidate ─> InvalidateSweep ──────┴─────────┘
  * }}}
  *
  * Latency: a hit takes no cycle. A miss is answered k * (N + 1) + 4 cycles after it appeared (two
  * more if the turn to walk was another port's), a fault one earlier, for k descriptors that the
  * memory port answers N cycles after it took them; k is one when the walk cache knows the last
  * table. An update of access flag or dirty state takes N + 2 cycles more. An invalidation takes
  * the cycles of [[InvalidateSweep]]. An access waits if it hits what the command may cover,
  * until the sweep has compared that ([[Suspects]]). No walk waits, unless an option holds it back.
  *
  * `options` stand before walker and translate units; the last one is asked first.
  *
  * `bare`: while no register turns translation on, accesses are untranslated, as in RISC-V's Bare
  * mode; else they go through the flat map of VMSAv8-64 (spec 1.3).
  */
case class Mmu(config: MmuConfig, bare: Boolean = false, options: Seq[MmuOption] = Nil)
    extends Component {
  private val formats = TableFormats(config)

  val io = new Bundle {
    val fetch = slave(TranslatePort(config.paWidth))
    val data = slave(TranslatePort(config.paWidth))
    val walk = master(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val invalidate = slave(InvalidatePort())
    val context = in(MmuContext())
    val events = out(MmuEvents())
  }

  private[granule] val fetch = TranslateUnit(config, config.fetchTlbEntries, fetch = true, bare)
  private[granule] val data = TranslateUnit(config, config.dataTlbEntries, fetch = false, bare)
  private[granule] val walker = Walker(config)
  private[granule] val sweep = InvalidateSweep(config, goesOn = options.exists(_.isSwept))

  private[granule] val context = DecodedContext.of(io.context, formats)

  private val walkers =
    options.foldLeft(Walks.of(walker))((walks, option) => option.wrap(this, walks))
  private[granule] val walks = walkers.port
  for ((unit, port) <- Seq(fetch -> io.fetch, data -> io.data))
    options.foldLeft(unit.io.port)((front, option) => option.front(this, front, unit.fetch)) <> port
  walkers.memory <> io.walk
  walker.io.context := context
  sweep.io.port <> io.invalidate
  sweep.io.underWay := walkers.underWay
  walker.io.invalidated << sweep.io.invalidated

  private[granule] val tables = (config.walkCacheEntries > 0) generate WalkCache(config)
  if (tables != null) walker.io.tables <> tables.io.tables else walker.io.tables.absent()

  private val turn = WalkTurn(portCount = 2)
  turn.io.walker >> walks.cmd

  // The payload of `leaf` is there a cycle before its `valid`.
  private[granule] val walked = RegNext(walks.leaf.payload)
  walks.leaf.ready := True
  private val fault = walks.fault.stage()
  for (((unit, port), mine) <- Seq(fetch -> io.fetch, data -> io.data).zip(turn.io.ports)) {
    mine.mayAsk := unit.io.mayAsk
    mine.request << unit.io.request
    mine.answered := unit.io.port.cmd.fire

    unit.io.context := context
    unit.io.leaf.valid := walks.leaf.valid && mine.owns
    unit.io.leaf.payload := walked
    unit.io.fault.valid := fault.valid && mine.owns
    unit.io.fault.payload := fault.payload
  }

  private[granule] val order = SweepOrder(config)
  private[granule] val log = EntryLog(config)
  log.io.found := walked
  log.io.data << data.io.installed
  log.io.fetch << fetch.io.installed
  sweep.io.install << log.io.install
  data.io.clear := order.of(Holder.DataTlb, sweep.io.clear)
  fetch.io.clear := order.of(Holder.FetchTlb, sweep.io.clear)
  for ((unit, holder) <- Seq(data -> Holder.DataTlb, fetch -> Holder.FetchTlb)) {
    unit.io.suspects << sweep.io.suspects
    unit.io.compared := order.of(holder, sweep.io.compared)
  }
  if (tables != null) {
    log.io.tables << tables.io.installed
    log.io.tableSpan := tables.io.installedSpan
    tables.io.swept := sweep.io.busy
    tables.io.clear := order.of(Holder.WalkCache, sweep.io.clear)
  }

  private val events = new Area {
    def translated(port: TranslatePort) =
      port.cmd.fire && !port.cmd.untranslated && context.enabled

    /** A walk that starts again is not another miss. */
    def miss(unit: TranslateUnit, port: TranslatePort) = {
      val counted = Reg(Bool()) init False
      when(unit.io.request.fire) { counted := True }
      when(port.cmd.fire) { counted := False }
      unit.io.request.fire && !counted
    }
    io.events.itlbAccess := translated(io.fetch)
    io.events.dtlbAccess := translated(io.data)
    io.events.itlbMiss := miss(fetch, io.fetch)
    io.events.dtlbMiss := miss(data, io.data)
    io.events.walk := walker.io.events.walk
    io.events.walkCycle := walkers.busy
    io.events.walkRestart := walker.io.events.restart
    io.events.walkRead := walker.io.events.read
    io.events.cachedLast := walker.io.events.cachedLast
    io.events.cachedUpper := walker.io.events.cachedUpper
    io.events.walkSingle := walker.io.events.single
    io.events.tlbiVa := sweep.io.events.va
    io.events.tlbiAsid := sweep.io.events.asid
    io.events.tlbiRange := sweep.io.events.range
    io.events.tlbiAll := sweep.io.events.all
    io.events.tlbiCycle := sweep.io.open
  }

  Checks.end(this)
}

/** The events of the MMU; the SoC spreads them over the counters. */
case class MmuEvents() extends Bundle {
  val itlbAccess, itlbMiss, dtlbAccess, dtlbMiss = Bool()
  val walk, walkCycle, walkRestart = Bool()
  val walkRead = Vec(Bool(), 4)
  val cachedLast, cachedUpper, walkSingle = Bool()
  val tlbiVa, tlbiAsid, tlbiRange, tlbiAll = Bool()
  val tlbiCycle = Bool()
}
