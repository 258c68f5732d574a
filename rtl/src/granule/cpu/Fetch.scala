package granule.cpu

import granule.cache.{L1FetchCmd, L1FetchPort, Privilege}
import spinal.core._
import spinal.lib._

/** An instruction as it reaches decode.
  *
  * @field fault  it could not be read: `status` says why, `word` means nothing.
  */
case class Fetched() extends Bundle {
  val word = Bits(32 bits)
  val fault = Bool()
  val status = Bits(6 bits)
}

/** Instruction fetch: keeps up to three instructions ahead of decode.
  *
  * The next address is what [[BranchTargets]] guesses, or else that of the next word. `guess` comes
  * with `output`; who finds it wrong redirects. Nothing is guessed where a redirect goes.
  *
  * A `redirect` (of a jump) asks for its target in the same cycle; a `flush` (of write-back) in the
  * next one, with the privilege that then holds, and goes before a redirect. Both empty the queue,
  * and answers to older commands are dropped when they come. A command once valid is held unchanged
  * until accepted. The first instruction of a target is at `output` two cycles after the redirect
  * (cache hit). After a fault nothing is asked for until the next redirect or flush.
  */
case class Fetch(resetPc: Long, targets: Int) extends Component {
  val io = new Bundle {
    val port = master(L1FetchPort())
    val redirect = slave(Flow(UInt(32 bits)))
    val flush = slave(Flow(UInt(32 bits)))
    val privilege = in(Privilege())
    val output = master(Stream(Fetched()))
    val pc = out(UInt(32 bits))
    val guess = out(Guess())
    val learn = slave(Flow(Learned()))
    val calls = slave(Flow(UInt(10 bits)))
    val returned = in(Bool())
    val forget = in(Bool())
  }
  private val depth = 3
  private val cancel = io.redirect.valid || io.flush.valid

  private val next = Reg(UInt(32 bits)) init resetPc
  private val blocked = RegInit(False)

  /** What was counted before the answer of the last cycle. That there is an answer is known so late
    * that it is counted in the next cycle.
    */
  private val before = new Area {
    val queued = RegInit(U(0, 2 bits))
    val wanted = RegInit(U(0, 2 bits))
    val dropped = RegInit(U(0, 3 bits))
    val answered = RegNext(io.port.rsp.valid) init False
    val arrived = RegInit(False) // the answer was of use
  }
  private val queued = before.queued + before.arrived.asUInt
  private val wanted = before.wanted - before.arrived.asUInt // unanswered, and of use
  private val dropped = before.dropped - (before.answered && !before.arrived).asUInt // older ones

  private val command = new Area {
    val held = RegInit(False)
    val heldCmd = Reg(L1FetchCmd())
    val room = !blocked && queued +^ wanted < depth
    val fresh = !held && !io.flush.valid && !dropped.msb && (io.redirect.valid || room)
    val address = Mux(io.redirect.valid, io.redirect.payload, next)

    io.port.cmd.valid := held || fresh
    io.port.cmd.payload.va := Mux(held, heldCmd.va, address)
    io.port.cmd.payload.privilege := Mux(held, heldCmd.privilege, io.privilege)
    held := io.port.cmd.isStall
    heldCmd := io.port.cmd.payload
    private val buffer = BranchTargets(targets)
    buffer.io.address := next // that of a redirect is late: nothing is guessed there
    buffer.io.learn << io.learn
    buffer.io.calls << io.calls
    buffer.io.returned := io.returned
    buffer.io.forget := io.forget
    val guess = Guess()
    guess.assignSomeByName(buffer.io.guess)
    guess.known.removeAssignments() := buffer.io.guess.known && !io.redirect.valid
    next := address + Mux(fresh, U(4), U(0))
    when(fresh && guess.steers) { next := guess.target(next) }
    when(io.flush.valid) { next := io.flush.payload }
  }

  /** Guesses of what was asked for and has not left the queue. */
  private val guesses = new Area {
    val table = Mem(Guess(), 4)
    val newest, oldest = RegInit(U(0, 2 bits))
    table.write(newest, command.guess, enable = command.fresh)
    newest := newest + command.fresh.asUInt
    oldest := Mux(cancel, newest, oldest + io.output.fire.asUInt)
    io.guess := table.readAsync(oldest)
  }

  private val answer = io.port.rsp
  private val arrived = answer.valid && dropped === 0 && !cancel
  before.arrived := arrived
  when(cancel) {
    before.dropped := dropped + wanted
    before.wanted := command.fresh.asUInt.resized
    blocked := False
  } otherwise {
    before.dropped := dropped
    before.wanted := wanted + command.fresh.asUInt
    when(arrived && answer.fault.valid) { blocked := True }
  }

  private val queue = new Area {
    val slots = Vec(Reg(Fetched()), depth)
    val pop = io.output.fire
    when(pop) {
      for (i <- 0 until depth - 1) slots(i) := slots(i + 1)
    }
    // Behind the last one: what is written there counts when `arrived` says so, which is late.
    private val slot = slots(queued - pop.asUInt)
    slot.word := answer.data
    slot.fault := answer.fault.valid
    slot.status := answer.fault.status
    before.queued := queued - pop.asUInt
    io.output.valid := queued =/= 0
    io.output.payload := slots(0)

    val pc = Reg(UInt(32 bits)) init resetPc
    when(pop) { pc := Mux(io.guess.steers, io.guess.target(pc), pc + 4) }
    when(cancel) { before.queued := 0 }
    when(io.redirect.valid) { pc := io.redirect.payload }
    when(io.flush.valid) { pc := io.flush.payload }
    io.pc := pc
  }
}
