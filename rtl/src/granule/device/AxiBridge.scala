package granule.device

import granule.arch.{Checks, CoverPoint, MmuConfig, MmuContext, TableFormats}
import granule.mmu.InvalidatePort
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.amba4.axi._

/** An AXI4 slave with virtual addresses and an AXI4 master with physical ones: translation for
  * devices. docs/bridge.md says what it does and what it costs.
  *
  * {{{
  *   AR, AW ──> Translator ── translated ──> AR, AW of the bus; InFlight
  *      ^        (micro TLB) ── else ──────> Waiting ── refused ──> Refusal: SLVERR
  *      └────────── again ──────────────────┘
  *   W ───────> WriteData ─────────────────> W of the bus
  *   R, B <──── answers of the bus and SLVERR, each ID's in order
  * }}}
  *
  * Ports: `client` and `bus`; `apb`, the registers ([[BridgeRegisters]]) and `interrupt`; `walk`
  * ([[BridgeWalkPort]]); `shared`, the registers of the MMU, of which a stream replaces the root;
  * `invalidate`, which the walker gets in the same cycles. Its `done` waits until the bus has
  * answered what was translated before.
  *
  * Order within an ID: one that waits keeps all newer ones of its ID and direction waiting. So a
  * transaction is issued when no older one of its ID is not, and the bus keeps that order; SLVERR
  * is answered when the bus owes nothing to an older one.
  *
  * Latency: of a hit 5 cycles from AxVALID of the client to that of the bus; data and answers take
  * one. A transaction enters in each cycle, of reads and writes in turn, while all hit and at most
  * `outstanding` of a direction are on their way.
  */
case class AxiBridge(config: BridgeConfig, mmu: MmuConfig) extends Component {
  private val virtual = BridgeBus.virtual(config)
  private val physical = BridgeBus.physical(config, mmu.paWidth)

  val io = new Bundle {
    val client = slave(Axi4(virtual))
    val bus = master(Axi4(physical))
    val apb = slave(Apb3(BridgeRegisters.apbConfig))
    val interrupt = out(Bool())
    val walk = master(BridgeWalkPort(TableFormats(mmu)))
    val shared = in(MmuContext())
    val invalidate = slave(InvalidatePort())
  }

  private[granule] val translator = Translator(config, mmu)
  private[granule] val registers = BridgeRegisters(config)
  private[granule] val data = WriteData(config)
  registers.io.apb <> io.apb
  io.interrupt := registers.io.interrupt
  translator.io.shared := io.shared
  translator.io.walk <> io.walk
  translator.io.invalidate <> io.invalidate

  /** What there is for each direction: reads, then writes. */
  private[granule] case class Direction(write: Boolean) extends Area {
    val waiting = Waiting(config)
    val inFlight = InFlight(config)
    val issueCredit = Credit(config.outstanding)

    /** One that waits and is looked up next; it is chosen a cycle before that. */
    val again = RegInit(False)
    val againSlot = Reg(waiting.Slot())
    val takesAgain = Bool()
    when(!again || takesAgain) {
      again := waiting.wanting
      againSlot := waiting.wanted
      when(waiting.wanting) { waiting.lookUp() }
    }
  }
  private[granule] val reads = Direction(write = false)
  private[granule] val writes = Direction(write = true)
  private[granule] val directions = Seq(reads, writes)
  private def of[T <: Data](write: Bool)(value: Direction => T): T =
    Mux(write, value(writes), value(reads))

  /** All that were accepted, by direction and slot. The pipeline reads them from here. */
  private[granule] val transactions = Mem(Transaction(config), 2 * config.waiting)
  private val streams = Mem(UInt(log2Up(config.streams) bits), 2 * config.waiting)
  private def held(write: Bool, slot: UInt) = transactions.readAsync(write.asUInt @@ slot)

  /** What is looked up next: the end of a walk, else one that waited, else a fresh one. There must
    * be room for whatever may become of it.
    */
  private[granule] val choice = new Area {
    val writeFirst = RegInit(False) // of those that are equal otherwise
    def turn(offered: Seq[Bool]) = offered.last && (writeFirst || !offered.head)

    val replay = translator.io.replay
    val probed = RegInit(False)
    val replays = replay.valid && (probed || of(replay.write)(_.issueCredit.any))
    replay.ready := replays
    val probes = replays && replay.kind === LookupKind.probe
    probed := probes // its second lookup is due now, and has the room that the first one found

    val waited = directions.map(d => d.again && d.issueCredit.any)
    val again = !replays && waited.orR
    val againWrites = turn(waited)

    val offered = Seq(io.client.ar.valid, io.client.aw.valid).zip(directions).map {
      case (valid, d) => valid && d.issueCredit.any && d.waiting.hasRoom
    }
    val mayEnter = registers.io.run && directions.map(_.inFlight.io.ready).andR
    val fresh = !replays && !waited.orR && offered.orR && mayEnter
    val freshWrites = turn(offered)
    val freshSlot = of(freshWrites)(_.waiting.free)
    io.client.ar.ready := fresh && !freshWrites
    io.client.aw.ready := fresh && freshWrites

    val accepted = Transaction(config)
    accepted := Mux(
      freshWrites,
      Transaction.of(io.client.aw.payload, write = true, config),
      Transaction.of(io.client.ar.payload, write = false, config)
    )
    transactions.write(freshWrites.asUInt @@ freshSlot, accepted, enable = fresh)
    streams.write(freshWrites.asUInt @@ freshSlot, accepted.stream, enable = fresh)

    val lookup = SlotLookup(config)
    lookup.kind := LookupKind.fresh
    lookup.write := freshWrites
    lookup.slot := freshSlot
    when(waited.orR) {
      lookup.kind := LookupKind.again
      lookup.write := againWrites
      lookup.slot := of(againWrites)(_.againSlot)
    }
    when(replays) { lookup := replay.payload }
    when(again || fresh) { writeFirst := !lookup.write }
    for (d <- directions) {
      d.takesAgain := again && againWrites === Bool(d.write)
      when(fresh && freshWrites === Bool(d.write)) { d.waiting.accept(d.waiting.free) }
    }
    val enters = (replays || again || fresh) && !probes

    private val waits = waited.orR || replays
    private val waitsAt = replays ? (replay.write ## replay.slot) |
      againWrites ## of(againWrites)(_.againSlot)
    val stream = waits ? streams.readAsync(waitsAt.asUInt) | accepted.stream
  }

  /** It enters the pipeline in the next cycle, when it is read, and its stream's context. */
  private[granule] val entry = new Area {
    val request = translator.io.request
    val chosen = RegNext(choice.lookup)
    request.valid := RegNext(choice.enters || choice.probes) init False
    request.kind := chosen.kind
    request.slot := chosen.slot
    request.transaction := held(chosen.write, chosen.slot)
    registers.io.stream := RegNext(choice.stream)
    request.context := registers.io.context
  }

  /** What becomes of a transaction that was looked up. */
  private[granule] val decision = new Area {
    val outcome = translator.io.outcome
    val transaction = outcome.transaction
    val slot = outcome.slot
    val isFresh = outcome.kind === LookupKind.fresh
    val behind = isFresh && of(transaction.write)(_.waiting.hasElder)
    val judged = outcome.valid && !behind
    val issues = judged && outcome.translated
    val faults = judged && outcome.fault
    val misses = judged && !outcome.translated && !outcome.fault
    val walks = misses && translator.io.canAsk
    translator.io.ask := walks

    val waitsFor = WaitsFor()
    waitsFor.lookup := misses && !walks
    // The walk that was under way until now wakes nobody any more.
    waitsFor.walkOfAnother := misses && !walks && translator.io.walking &&
      outcome.kind =/= LookupKind.walked
    waitsFor.software := faults && outcome.stalls
    waitsFor.refusal := faults && !outcome.stalls

    val joins = outcome.valid && isFresh && !issues
    for (d <- directions) {
      val mine = transaction.write === Bool(d.write)
      when(outcome.valid && outcome.kind === LookupKind.walked) { d.waiting.lookAgain() }
      when(mine) {
        d.waiting.become(slot, waitsFor)
        // What is kept of a write's data keeps its slot.
        when(issues && (if (d.write) isFresh else True)) { d.waiting.release(slot) }
      }
      d.waiting.coming := translator.io.coming
      d.waiting.joins.valid := joins && mine
      d.waiting.joins.slot := slot
      d.waiting.joins.id := transaction.id
      d.waiting.issued.valid := issues && !isFresh && mine
      d.waiting.issued.payload := slot
      d.inFlight.io.issued.valid := issues && mine
      d.inFlight.io.issued.payload := transaction.id
      d.inFlight.io.mark := translator.io.mark

      d.issueCredit.follow(
        takes = choice.enters && choice.lookup.write === Bool(d.write),
        gives = outcome.valid && mine && !issues,
        d.inFlight.io.answered.valid
      )
    }
    translator.io.owed := directions.map(_.inFlight.io.marked).orR

    registers.io.fault.valid := faults
    val fault = registers.io.fault.payload
    fault.va := transaction.va
    fault.stream := transaction.stream
    fault.id := transaction.id
    fault.write := transaction.write
    fault.execute := !transaction.write && transaction.prot(2)
    fault.stalls := outcome.stalls
    fault.status := outcome.status
    fault.slot := slot

    registers.io.events.hit := issues && outcome.kind =/= LookupKind.walked
    registers.io.events.miss := walks
    registers.io.events.fault := faults
    registers.io.events.stall := faults && outcome.stalls
  }

  /** Addresses to the bus. What is in flight has room in the queues. */
  private val addresses = new Area {
    val ar = Axi4Ar(physical)
    val aw = Axi4Aw(physical)
    OutgoingAddress.of(decision.outcome.payload, config, ar)
    OutgoingAddress.of(decision.outcome.payload, config, aw)
    def queue[T <: Data](ax: T, mine: Bool) = {
      val fifo = StreamFifo(cloneOf(ax), config.outstanding, latency = 1)
      fifo.io.push.valid := decision.issues && mine
      fifo.io.push.payload := ax
      fifo.io.pop
    }
    io.bus.ar << queue(ar, !decision.transaction.write)
    io.bus.aw << queue(aw, decision.transaction.write)
  }

  /** Data of writes. A write that issues after it waited keeps its slot until its data has passed.
    */
  private val writeData = new Area {
    private val write = decision.outcome.valid && decision.transaction.write
    data.io.accepted.valid := write && decision.isFresh
    data.io.accepted.kept := !decision.issues
    data.io.accepted.slot := decision.slot
    data.io.issued.valid := write && decision.issues
    data.io.issued.route.kept := !decision.isFresh
    data.io.issued.route.slot := decision.slot
    data.io.issued.len := decision.transaction.len
    data.io.from << io.client.w
    io.bus.w << data.io.to.s2mPipe()
    when(data.io.passed.valid) { writes.waiting.release(data.io.passed.payload) }
  }

  /** Answers of the bus, and SLVERR beside them. */
  private[granule] val answers = new Area {
    val readRefusal =
      ReadRefusal(config, reads.waiting, reads.inFlight, held(write = False, _).len)
    val writeRefusal = WriteRefusal(config, writes.waiting, writes.inFlight, data.io.complete)
    data.io.discard << writes.waiting.answered
    def join[T <: Data](one: Stream[T], other: Stream[T]) =
      StreamArbiterFactory().roundRobin.transactionLock.onArgs(one, other).m2sPipe()

    val r = Stream(Axi4R(virtual))
    r.arbitrationFrom(io.bus.r)
    r.payload.assignAllByName(io.bus.r.payload)
    val b = Stream(Axi4B(virtual))
    b.arbitrationFrom(io.bus.b)
    b.payload.assignAllByName(io.bus.b.payload)
    io.client.r << join(r, readRefusal.answers)
    io.client.b << join(b, writeRefusal.answers)

    reads.inFlight.io.answered.valid := io.bus.r.fire && io.bus.r.last
    reads.inFlight.io.answered.payload := io.bus.r.id
    writes.inFlight.io.answered.valid := io.bus.b.fire
    writes.inFlight.io.answered.payload := io.bus.b.id
  }

  private val software = new Area {
    val resume = registers.io.resume
    for (d <- directions)
      when(resume.valid && resume.write === Bool(d.write)) {
        d.waiting.resume(resume.slot, resume.retry)
      }
    registers.io.stalled := Cat(directions.map(_.waiting.stalled.asBits))
    registers.io.idle := !registers.io.run && data.io.idle && !io.client.r.valid &&
      !io.client.b.valid && directions.map(d => !d.waiting.taken.orR && d.inFlight.io.idle).andR
  }

  Checks.end(this)
}
