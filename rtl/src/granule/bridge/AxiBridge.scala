package granule.bridge

import granule.config.{BridgeConfig, MmuConfig}
import granule.format.{MmuContext, TableFormats}
import granule.port._
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

  private val translator = Translator(config, mmu)
  private val registers = BridgeRegisters(config)
  private val data = WriteData(config)
  registers.io.apb <> io.apb
  io.interrupt := registers.io.interrupt
  translator.io.shared := io.shared
  translator.io.walk <> io.walk
  translator.io.invalidate <> io.invalidate

  /** What is kept for each direction: reads, then writes. */
  private case class Direction(write: Boolean) extends Area {
    val waiting = Waiting(config)
    val inFlight = InFlight(config)
    val lens = Mem(UInt(8 bits), config.waiting)

    /** Places for what may be issued, and for what may have to wait. */
    val issueCredit = Credit(config.outstanding)
    val slotCredit = Credit(config.waiting)

    /** One that waits and is looked up next; it is chosen a cycle before that. */
    val again = RegInit(False)
    val againSlot = Reg(waiting.Slot())
    private val before = Reg(Bits(config.waiting bits)) init 1
    private val chosen = OHMasking.roundRobin(waiting.eligible, before)
    when(!again && waiting.eligible.orR) {
      again := True
      againSlot := OHToUInt(chosen)
      before := chosen.rotateLeft(1)
      waiting.become(OHToUInt(chosen), WaitState.looking())
    }
  }
  private val reads = Direction(write = false)
  private val writes = Direction(write = true)
  private val directions = Seq(reads, writes)
  private val kept = Mem(Transaction(config), 2 * config.waiting)
  private def of[T <: Data](write: Bool)(value: Direction => T): T =
    Mux(write, value(writes), value(reads))

  /** What is looked up next: the end of a walk, else one that waited, else a fresh one. There must
    * be room for whatever may become of it.
    */
  private val choice = new Area {
    val writeFirst = RegInit(False) // of those that are equal otherwise
    def turn(offered: Seq[Bool]) = offered.last && (writeFirst || !offered.head)

    val replay = translator.io.replay
    val probed = RegInit(False)
    val replays = replay.valid && (probed || of(replay.transaction.write)(_.issueCredit.any))
    replay.ready := replays
    val probes = replays && replay.kind === LookupKind.probe
    probed := probes // its second lookup is due now, and has the room that the first one found

    val waited = directions.map(d => d.again && d.issueCredit.any)
    val again = !replays && waited.orR
    val againWrites = turn(waited)

    val offered = Seq(io.client.ar.valid, io.client.aw.valid).zip(directions).map {
      case (valid, d) => valid && d.issueCredit.any && d.slotCredit.any
    }
    val mayEnter = registers.io.run && directions.map(_.inFlight.io.ready).andR
    val fresh = !replays && !waited.orR && offered.orR && mayEnter
    val freshWrites = turn(offered)
    io.client.ar.ready := fresh && !freshWrites
    io.client.aw.ready := fresh && freshWrites

    val request = LookupRequest(config)
    request.kind := LookupKind.fresh
    request.transaction := Mux(
      freshWrites,
      Transaction.of(io.client.aw.payload, write = true, config),
      Transaction.of(io.client.ar.payload, write = false, config)
    )
    request.slot := of(againWrites)(_.againSlot)
    request.context.assignDontCare()
    when(again) {
      request.kind := LookupKind.again
      request.transaction := kept.readAsync(againWrites.asUInt @@ request.slot)
    }
    when(replays) { request := replay.payload }
    when(again || fresh) { writeFirst := !request.transaction.write }
    for (d <- directions) when(again && againWrites === Bool(d.write)) { d.again := False }
    val enters = (replays || again || fresh) && !probes
  }

  /** It enters the pipeline in the next cycle, when its stream's context is read. */
  private val entry = new Area {
    val request = translator.io.request
    val chosen = RegNext(choice.request)
    request.valid := RegNext(choice.enters || choice.probes) init False
    request.kind := chosen.kind
    request.slot := chosen.slot
    request.transaction := chosen.transaction
    registers.io.stream := chosen.transaction.stream
    request.context := registers.io.context
    val active = (1 to 4).map(n => Delay(choice.enters, n, init = False)).orR
  }

  /** What becomes of a transaction that was looked up. */
  private val decision = new Area {
    val outcome = translator.io.outcome
    val transaction = outcome.transaction
    val isFresh = outcome.kind === LookupKind.fresh
    val behind = isFresh && of(transaction.write)(_.waiting.holds(transaction.id))
    val judged = outcome.valid && !behind
    val issues = judged && outcome.translated
    val faults = judged && outcome.fault
    val misses = judged && !outcome.translated && !outcome.fault
    val walks = misses && translator.io.canAsk
    translator.io.ask := walks

    val slot = isFresh ? of(transaction.write)(_.waiting.free) | outcome.slot
    translator.io.askSlot := slot
    val state = WaitState()
    state := WaitState.wants
    when(walks) { state := WaitState.looking }
    when(misses && !walks) {
      // The walk that was under way until now wakes nobody any more.
      val wakes = translator.io.walking && outcome.kind =/= LookupKind.walked
      state := wakes ? WaitState.missed | WaitState.wants
    }
    when(faults) { state := outcome.stalls ? WaitState.stalled | WaitState.refused }

    val settles = outcome.valid && isFresh && !issues
    kept.write((transaction.write ## slot).asUInt, transaction, enable = settles)
    for (d <- directions) {
      val mine = transaction.write === Bool(d.write)
      d.lens.write(slot, transaction.len, enable = settles && mine)
      when(outcome.valid && outcome.kind === LookupKind.walked) { d.waiting.lookAgain() }
      when(mine) {
        when(settles) { d.waiting.insert(slot, transaction.id, state) }
        when(outcome.valid && !isFresh) {
          d.waiting.become(slot, state)
          when(issues) { d.waiting.leave(slot) }
        }
      }
      d.inFlight.io.issued.valid := issues && mine
      d.inFlight.io.issued.payload := transaction.id
      d.inFlight.io.mark := translator.io.mark

      d.issueCredit.follow(
        takes = choice.enters && choice.request.transaction.write === Bool(d.write),
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

  /** Data of writes. A write that issues from a slot keeps it until its data has passed. */
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

    val passing = Vec.fill(config.waiting)(RegInit(False))
    reads.waiting.occupied := reads.waiting.valid
    for (i <- 0 until config.waiting) {
      when(data.io.passed(i)) { passing(i) := False }
      when(data.io.issued.valid && !decision.isFresh && decision.slot === i) { passing(i) := True }
      writes.waiting.occupied(i) := writes.waiting.valid(i) || passing(i)
    }
  }

  /** Answers of the bus, and SLVERR beside them. */
  private val answers = new Area {
    val readRefusal = ReadRefusal(config, reads.waiting, reads.inFlight, reads.lens)
    val writeRefusal = WriteRefusal(config, writes.waiting, writes.inFlight, data.io.complete)
    data.io.discard := writeRefusal.left
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

    // A read that issues needs its slot no more, a write only if it has none.
    private val readIssues = decision.issues && !decision.transaction.write
    private val writesDirectly =
      decision.issues && decision.transaction.write && decision.isFresh
    reads.slotCredit.follow(choice.fresh && !choice.freshWrites, readIssues, readRefusal.left.orR)
    writes.slotCredit.follow(
      choice.fresh && choice.freshWrites,
      writesDirectly,
      writeRefusal.left.orR,
      data.io.passed.orR
    )
  }

  private val software = new Area {
    val resume = registers.io.resume
    for (d <- directions)
      when(resume.valid && resume.write === Bool(d.write)) {
        d.waiting.resume(resume.slot, resume.retry)
      }
    registers.io.stalled := Cat(directions.map(_.waiting.stalled))
    registers.io.idle := !registers.io.run && data.io.idle && !choice.enters &&
      !entry.active && !io.client.r.valid && !io.client.b.valid &&
      directions.map(d => !d.waiting.occupied.orR && d.inFlight.io.idle).andR
  }

  Checks {
    import decision.{outcome, transaction}
    for (d <- directions) {
      val mine = transaction.write === Bool(d.write)
      val refusal = if (d.write) answers.writeRefusal else answers.readRefusal
      val order = OrderChecks(config)
      val entered = choice.request
      order.accepted.valid := choice.fresh && entered.transaction.write === Bool(d.write)
      order.accepted.payload := entered.transaction.id
      when(order.accepted.valid) { entered.transaction.sequence := order.next }
      order.issued.valid := decision.issues && mine
      order.issued.payload := transaction
      order.kept.valid := decision.settles && mine
      order.kept.payload := transaction
      order.keptIn := decision.slot
      order.refused := refusal.left
      order.answered << d.inFlight.io.answered
      assert(!registers.io.idle || order.isEven, "bridge: idle, and a transaction was not answered")

      val others = d.waiting.any && !d.waiting.holds(transaction.id)
      CoverPoint("bridge.hit_overtakes")(order.issued.valid && decision.isFresh && others)
      CoverPoint("bridge.behind_own_id")(decision.behind && mine && outcome.translated)
      CoverPoint("bridge.refusal_waits")(refusal.waits)
      CoverPoint("bridge.refusal_between")(refusal.waits && order.newerWaits(refusal.slotNow))
    }
    CoverPoint("bridge.second_miss")(decision.misses && !translator.io.canAsk)
    CoverPoint("bridge.address_of_two")(choice.offered.andR)
    for (
      (name, stream) <- Seq(
        "bus AR" -> io.bus.ar,
        "bus AW" -> io.bus.aw,
        "bus W" -> io.bus.w,
        "client R" -> io.client.r,
        "client B" -> io.client.b
      )
    ) Checks.held(s"bridge: $name", stream.asInstanceOf[Stream[Bundle]])
  }
}
