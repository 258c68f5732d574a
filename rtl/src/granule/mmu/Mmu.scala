package granule.mmu

import granule.config.MmuConfig
import granule.format.{MmuContext, TableFormats}
import granule.port._
import granule.tlb._
import granule.walk.{DecodedContext, WalkRequest, Walker}
import spinal.core._
import spinal.lib._

/** Translation for one CPU: a micro TLB each for fetch and data, and the walker that they share.
  *
  * {{{
  *   fetch ──> TranslateUnit ──┐ walk requests         ┌──> walk (descriptor reads, swaps)
  *             (micro TLB)     ├──────────> Walker ────┘
  *   data ───> TranslateUnit ──┤ <── leaf, fault ─ ^
  *   at ─────> AddressTranslate┘               WalkCache
  *                  ^ clear              ^ kill    ^ clear
  *   invalidate ─> InvalidateSweep ──────┴─────────┘
  * }}}
  *
  * Latency: a hit takes no cycle. A miss is answered k * (N + 1) + 4 cycles after it appeared (two
  * more if the turn to walk was another port's), a fault one earlier, for k descriptors that the
  * memory port answers N cycles after it took them; k is one when the walk cache knows the last
  * table. An update of access flag or dirty state takes N + 2 cycles more. An invalidation takes
  * the cycles of [[InvalidateSweep]], and holds no access and no walk back.
  *
  * `view` and `viewKey` show the entry `selected`, of the fetch or (bit 8 set) the data TLB, while
  * there is no invalidation.
  */
case class Mmu(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val debugReadOut = config.addressTranslate

  val io = new Bundle {
    val fetch = slave(TranslatePort(config.paWidth))
    val data = slave(TranslatePort(config.paWidth))
    val walk = master(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val invalidate = slave(InvalidatePort())
    val context = in(MmuContext())
    val at = debugReadOut generate slave(Stream(AddressTranslateCmd()))
    val par = debugReadOut generate out(Bits(128 bits))
    val selected = debugReadOut generate in(UInt(9 bits))
    val view = debugReadOut generate out(TlbView(formats))
    val viewKey = debugReadOut generate out(SweptEntry(formats))
    val events = out(MmuEvents())
  }

  private val fetch = TranslateUnit(config, config.fetchTlbEntries, fetch = true)
  private val data = TranslateUnit(config, config.dataTlbEntries, fetch = false)
  private val at = debugReadOut generate AddressTranslate(config)
  private val walker = Walker(config)
  private val sweep = InvalidateSweep(config)

  private val context = DecodedContext.of(io.context, formats)

  fetch.io.port <> io.fetch
  data.io.port <> io.data
  walker.io.memory <> io.walk
  walker.io.context := context
  sweep.io.port <> io.invalidate
  sweep.io.underWay := walker.io.underWay
  walker.io.invalidated << sweep.io.invalidated

  private val tables = (config.walkCacheEntries > 0) generate WalkCache(config)
  if (tables != null) walker.io.tables <> tables.io.tables

  object Owner extends SpinalEnum { val fetch, data, at = newElement() }

  /** One walk at a time. Whose turn it is goes round among those that may ask, so that the walker
    * follows one of them before its TLB has answered. Who must ask while it is the turn of a port
    * that hits asks again two cycles later, as its keys are compared again first; AT one cycle
    * later. `orphan`: the command that the walk is for was answered without it, because the context
    * changed; its end concerns nobody.
    */
  private val share = new Area {
    val owner = RegInit(Owner.fetch)
    val orphan = Reg(Bool()) init False
    val request = walker.io.walk.cmd

    case class Port(
        owner: SpinalEnumElement[Owner.type],
        mayAsk: Bool,
        request: Stream[WalkRequest]
    )
    val ports = Seq(
      Port(Owner.fetch, fetch.io.mayAsk, fetch.io.request),
      Port(Owner.data, data.io.mayAsk, data.io.request)
    ) ++ (if (debugReadOut) Some(Port(Owner.at, at.io.request.valid, at.io.request)) else None)

    /** It may ask, and nobody does who comes before it, counted from behind the last owner. */
    val next = for (i <- ports.indices) yield ports(i).mayAsk && ports.indices.map { last =>
      val before = (last + 1 to last + ports.size).map(_ % ports.size).takeWhile(_ != i)
      owner === ports(last).owner && !before.map(ports(_).mayAsk).orR
    }.orR
    request.valid := ports.zip(next).map { case (port, turn) => turn && port.request.valid }.orR
    request.payload := ports.head.request.payload
    for ((port, turn) <- ports.zip(next)) {
      port.request.ready := request.ready && turn
      when(turn) {
        request.payload := port.request.payload
        when(request.ready)(owner := port.owner)
      }
    }

    val answered = owner.mux(
      Owner.data -> io.data.cmd.fire,
      Owner.fetch -> io.fetch.cmd.fire,
      Owner.at -> False
    )
    when(request.ready)(orphan := False).elsewhen(answered)(orphan := True)
    val faultValid = RegNext(walker.io.walk.fault.valid) init False
    val fault = RegNextWhen(walker.io.walk.fault.payload, walker.io.walk.fault.valid)
  }

  private val leaf = walker.io.walk.leaf.payload
  private val leafThen = RegNext(leaf) // it is there a cycle before it is valid
  for ((unit, mine) <- Seq(data -> Owner.data, fetch -> Owner.fetch)) {
    unit.io.context := context
    val owns = share.owner === mine
    unit.io.leaf.valid := walker.io.walk.leaf.valid && owns && !share.orphan
    unit.io.leaf.payload := leafThen
    unit.io.fault.valid := share.faultValid && owns && !share.orphan
    unit.io.fault.payload := share.fault
  }

  /** The copies of the keys that invalidations look at. One walker finds one thing at a time, so
    * all that is installed comes one by one, and says the same of its address as `leafThen`.
    */
  private val copies = new Area {
    val order = SweepOrder(config)
    val install = sweep.io.install
    val holders = Seq(
      Holder.DataTlb -> data.io.installed,
      Holder.FetchTlb -> fetch.io.installed
    ) ++ (if (tables == null) Nil else Seq(Holder.WalkCache -> tables.io.installed))

    install.valid := holders.map(_._2.valid).orR
    install.number := MuxOH.or(
      Vec(holders.map(_._2.valid)).asBits,
      holders.map { case (holder, installed) => order.number(holder, installed.payload) }
    )
    install.entry.asid := leafThen.asid
    install.entry.granule := leafThen.granule
    install.entry.global := leafThen.global
    install.entry.span := formats.spans.recode(leafThen.span, formats.sweptSpans)
    if (tables != null) when(tables.io.installed.valid) {
      install.entry.global := False
      install.entry.span :=
        formats.tableSpans.recode(tables.io.installedSpan, formats.sweptSpans)
    }
    install.entry.firstPage := SweptEntry.firstPage(leafThen.tag, install.entry.span, formats)

    data.io.clear := order.of(Holder.DataTlb, sweep.io.clear)
    fetch.io.clear := order.of(Holder.FetchTlb, sweep.io.clear)

    if (tables != null) {
      tables.io.swept := sweep.io.busy
      tables.io.clear := order.of(Holder.WalkCache, sweep.io.clear)
    }
  }

  if (debugReadOut) {
    at.io.cmd << io.at
    at.io.context := context
    // A cycle late: nobody waits for AT, and how a walk ends may hang on the memory's answer.
    val mine = share.owner === Owner.at
    at.io.leaf.valid := RegNext(walker.io.walk.leaf.valid && mine) init False
    at.io.leaf.payload := RegNext(leaf)
    at.io.shareability := RegNext(walker.io.walk.shareability)
    at.io.dropped := RegNext(walker.io.walk.dropped && mine) init False
    at.io.fault.valid := RegNext(walker.io.walk.fault.valid && mine) init False
    at.io.fault.payload := RegNext(walker.io.walk.fault.payload)
    io.par := at.io.par
    for (unit <- Seq(fetch, data)) unit.io.selected := io.selected.resized
    io.view := io.selected.msb ? data.io.view | fetch.io.view
    sweep.io.selected := io.selected.msb ? copies.order.number(Holder.DataTlb, io.selected) |
      copies.order.number(Holder.FetchTlb, io.selected)
    io.viewKey := sweep.io.view
  }

  private val events = new Area {
    def translated(port: TranslatePort) =
      port.cmd.fire && !port.cmd.untranslated && context.enabled

    /** A walk that starts again is not another miss. */
    def miss(unit: TranslateUnit, port: TranslatePort) = {
      val counted = Reg(Bool()) init False
      when(unit.io.request.fire)(counted := True)
      when(port.cmd.fire)(counted := False)
      unit.io.request.fire && !counted
    }
    io.events.itlbAccess := translated(io.fetch)
    io.events.dtlbAccess := translated(io.data)
    io.events.itlbMiss := miss(fetch, io.fetch)
    io.events.dtlbMiss := miss(data, io.data)
    io.events.walk := walker.io.events.walk
    io.events.walkCycle := walker.io.events.cycle
    io.events.walkRestart := walker.io.events.restart
    io.events.walkRead := walker.io.events.read
    io.events.cachedLast := walker.io.events.cachedLast
    io.events.cachedUpper := walker.io.events.cachedUpper
    io.events.walkSingle := walker.io.events.single
    io.events.tlbiVa := sweep.io.events.va
    io.events.tlbiAsid := sweep.io.events.asid
    io.events.tlbiRange := sweep.io.events.range
    io.events.tlbiAll := sweep.io.events.all
    io.events.tlbiCycle := sweep.io.busy
  }
}
