package granule.mmu

import granule.arch.{Checks, CoverPoint, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** Entries that an invalidation compares after those of [[SweepOrder]], with the same comparators:
  * who has them leads it through them.
  *
  * @field active   from the cycle after acceptance until all entries were compared: what it may
  *                 cover, `suspects`, must not be used. `scope` is what it covers.
  * @field decoded  the cycle after acceptance: the length of a range is a number of pages yet.
  * @field begins   one cycle, in which `scope` is ready; the comparators are free from the next on.
  * @field running  entries are still to be compared: the next command waits.
  * @field compares `entry` is compared, of each lane where it is `valid`; in the next cycle
  *                 `covered` has a bit for each.
  */
case class FurtherSweepPort(config: MmuConfig) extends Bundle with IMasterSlave {
  private val formats = TableFormats(config)
  val active, decoded, begins = Bool()
  val suspects = Suspects(formats)
  val scope = InvalidateScope(formats)
  val running, compares = Bool()
  val entry = Vec.fill(config.sweepLanes)(SweptEntry(formats))
  val valid, covered = Bits(config.sweepLanes bits)

  override def asMaster(): Unit = {
    out(active, decoded, begins, suspects, scope, covered)
    in(running, compares, entry, valid)
  }
}

/** Carries every invalidation through all TLBs at once: one pass over their entries, `sweepLanes`
  * of them a cycle, whatever the kind. So every kind takes the same number of cycles, and a range
  * of any length costs one comparator a lane instead of one an entry. What it compares is a copy of
  * the keys, in a small memory a lane. docs/mmu.md shows one beside a walk, cycle by cycle.
  *
  * Ports: `port` ([[InvalidatePort]]); `invalidated` is valid in the cycle in which a command is
  * accepted, with whether it concerns the walk `underWay`; `install` is every entry that a TLB
  * takes; `clear` has a bit for each entry, in the order of [[SweepOrder]]; `busy` from the cycle
  * after acceptance to the end: what is covered may still be there; `open` from that cycle to that
  * of `done`. `suspects` is valid in the cycle after acceptance: all entries become suspects. Its
  * payload says which lookups they do not answer, and holds until the next command. `compared` has
  * a bit for each entry that was compared, which is no suspect from the next cycle on. With
  * `goesOn` there are `further` entries ([[FurtherSweepPort]]), which are compared afterwards, in
  * `finish`; that is not `busy`.
  *
  * Latency: a sweep ends entries / lanes + 3 cycles after acceptance, entries being those of all
  * TLBs rounded up to a power of two; with `goesOn` one cycle later, or when `further.running`
  * ends. `done` comes 3 cycles after acceptance, when every entry is a suspect; or when
  * `underWay.mayStore` ends: a killed walk has a compare-and-swap on its way. It waits for nothing
  * else of a walk; that one may wait for an answer as long as it likes. The next command is
  * accepted when both the sweep and `done` are over.
  */
case class InvalidateSweep(config: MmuConfig, goesOn: Boolean = false) extends Component {
  private val formats = TableFormats(config)
  private[granule] val order = SweepOrder(config)
  private val stepWidth = log2Up(order.steps)

  val io = new Bundle {
    val port = slave(InvalidatePort())
    val underWay = in(WalkUnderWay(formats))
    val invalidated = master(Flow(Bool()))
    val install = slave(Flow(SweptInstall(config)))
    val clear = out(Bits(1 << order.width bits))
    val suspects = master(Flow(Suspects(formats)))
    val compared = out(Bits(1 << order.width bits))
    val busy, open = out(Bool())
    val further = goesOn generate master(FurtherSweepPort(config))
    val events = out(InvalidateEvents())
  }

  object State extends SpinalEnum { val idle, widen, ready, sweep, settle, finish = newElement() }
  private[granule] val state = RegInit(State.idle)
  private[granule] val scope = Reg(InvalidateScope(formats))
  private[granule] val step = Reg(UInt(stepWidth bits))

  /** `done` is owed, and a sweep need not be over for it. */
  private val early = new Area {
    val owed = RegInit(False) setWhen io.port.cmd.fire
    val silent = owed && RegNext(owed && RegNext(owed, init = False), init = False)
    owed clearWhen io.port.done
  }
  private val ends = if (goesOn) !io.further.running else True

  step := 0
  switch(state) {
    is(State.idle) { when(io.port.cmd.fire) { state := State.widen } }
    is(State.widen) {
      state := (if (goesOn) State.ready() else State.sweep())
    }
    is(State.ready) { state := State.sweep }
    is(State.sweep) {
      step := step + 1
      when(step === order.steps - 1) { state := State.settle }
    }
    is(State.settle) { state := State.finish }
    is(State.finish) { when(ends) { state := State.idle } }
  }

  // A range of large pages is ready when the first entries were read, a cycle into the sweep.
  private[granule] val wider = Reg(UInt(2 bits)) init 0
  if (formats.granules.size > 1) when(wider =/= 0) {
    scope.widen()
    wider := wider - 1
  }
  when(io.port.cmd.fire) { wider := scope.decode(io.port.cmd.payload) }

  // With `goesOn`, what adds and what compares have a cycle each.
  private[granule] val end = if (goesOn) RegNext(scope.end) else scope.end
  private[granule] val sweeping = state === State.sweep
  private[granule] val place = UIntToOh(RegNextWhen(step, sweeping))

  // Addresses are compared last, and nothing else then: that is the longest way.
  private[granule] val lanes = for (lane <- 0 until config.sweepLanes) yield new Area {
    val copies = Mem(SweptEntry(formats), order.steps)
    copies.write(
      io.install.number.resize(stepWidth),
      io.install.entry,
      enable = io.install.valid && (io.install.number >> stepWidth) === lane
    )
    val copy = copies.readAsync(step)
    val read = if (goesOn) sweeping ? copy | io.further.entry(lane) else copy
    val compares =
      if (goesOn) sweeping || io.further.compares && io.further.valid(lane) else sweeping
    val entry = RegNextWhen(read, compares)
    val anywhere = RegNext(compares && scope.coversAnywhere(read)) init False
    val there = RegNext(compares && scope.coversThere(read)) init False
    val covered = anywhere || there && scope.overlaps(entry, end)
  }
  private val ofMicro = if (goesOn) RegNext(sweeping) init False else True
  private val covered = Vec(lanes.map(lane => place.andMask(lane.covered && ofMicro))).asBits
  private val tables = B(order.ones(Holder.WalkCache), 1 << order.width bits)
  io.clear := covered & ~scope.spared(tables)

  io.busy := (if (goesOn) state =/= State.idle && state =/= State.finish
              else state =/= State.idle)
  if (goesOn) {
    io.further.active := state =/= State.idle
    io.further.decoded := state === State.widen
    io.further.begins := state === State.settle
    io.further.suspects := Suspects.of(scope)
    io.further.scope := scope
    io.further.covered := Vec(lanes.map(_.covered)).asBits
  }
  io.suspects.valid := state === State.widen
  io.suspects.payload := Suspects.of(scope)
  private val placed = place.andMask(RegNext(sweeping, init = False))
  io.compared := Vec(lanes.map(_ => placed)).asBits
  io.port.done := early.silent && !io.underWay.mayStore
  io.open := early.owed
  io.port.cmd.ready := state === State.idle && !io.open

  io.invalidated.valid := io.port.cmd.fire
  io.invalidated.payload := InvalidateScope.concerns(io.port.cmd.payload, io.underWay)
  io.events := InvalidateScope.events(io.port.cmd.toFlowFire)

  Checks {
    assert(
      !(sweeping && step =/= 0) || wider === 0,
      "sweep: entries are compared with a range that is not ready"
    )
    def clears(kind: Bool) = kind && io.clear.orR
    CoverPoint("sweep.clears_all")(clears(scope.everything))
    CoverPoint("sweep.clears_asid")(clears(scope.byAsid))
    CoverPoint("sweep.clears_va")(clears(scope.byVa))
    CoverPoint("sweep.clears_range")(clears(scope.byRange))
    CoverPoint("sweep.spares_table")((covered & scope.spared(tables)).orR)
    CoverPoint("sweep.installs")(io.install.valid && io.busy)
    CoverPoint("sweep.waits_for_swap")(early.silent && io.underWay.mayStore)
    if (formats.granules.size > 1) CoverPoint("sweep.widens_twice")(wider === 2)
    CoverPoint("sweep.back_to_back")(io.port.cmd.fire && RegNext(io.port.done, init = False))
  }
}
