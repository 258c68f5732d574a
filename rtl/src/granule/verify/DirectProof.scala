package granule.verify

import granule.arch.{FaultStatus, MmuConfig}
import granule.options.{PmpDirect, PmpGuard}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** An access without translation passes only after an answer of its own, or where the entries of
  * physical memory protection open what it asks for in that cycle. So nothing that was open before
  * a change of the entries is remembered after it.
  *
  * One word is watched, which is any. Whether it is open is anything, and stays until the entries
  * change. An answer without a change since its question began tells what is open
  * ([[GuardedWalkProof]]); any other answer tells anything. The translate unit answers such an
  * access at once ([[AnswerProof]]), and others when it likes.
  */
case class DirectProof(config: MmuConfig) extends Component {
  val unit = PmpDirect(config, bare = true)
  private val io = unit.io
  private val (port, question, answer) = (io.port, io.question, io.question.answer)
  private val cmd = port.cmd
  for (input <- Seq(port.ahead.valid, cmd.valid, io.unit.cmd.ready, question.begins)) anyseq(input)
  for (input <- Seq(io.machine, io.bindsMachine, io.changes, io.enabled, io.ignoresTop))
    anyseq(input)
  for (input <- Seq(port.ahead.payload, cmd.payload, io.unit.rsp, answer.valid, answer.payload))
    anyseq(input)

  // A command waits as it is, and so does its mode.
  private val held = RegNext(cmd.isStall) init False
  assume(
    !held || cmd.valid && cmd.payload === RegNext(cmd.payload) && io.machine === RegNext(io.machine)
  )
  assume(port.isAnnounced)
  private val direct = cmd.untranslated || !io.enabled
  private val unchecked = io.machine && !io.bindsMachine
  assume(!direct || io.unit.cmd.ready)

  // ---- the question -----------------------------------------------------------------------------
  private val asking = RegInit(False)
  assume(!question.begins || question.asks && !asking)
  assume(!answer.valid || asking)
  private val answers = answer.valid && question.asks
  when(question.begins) { asking := True } elsewhen (answer.valid || !question.asks) {
    asking := False
  }
  private def told = question.word ## question.access ## question.machine
  private val asked = RegNextWhen(told, question.begins)

  /** No entry has changed since it began. */
  private val quiet = RegInit(False)
  when(question.begins) { quiet := !io.changes } elsewhen (io.changes) { quiet := False }

  // ---- the word ---------------------------------------------------------------------------------
  private val word = anyconst(UInt(32 bits))
  private def piece(va: UInt) = va(31 downto PmpGuard.directPiece)
  private def page(va: UInt) = va(PmpGuard.directPiece - 1 downto 12)
  private def has(around: UInt, byPage: Bool) =
    piece(word) === piece(around) && (!byPage || page(word) === page(around))

  /** To M-mode, and to the others. */
  private val open = Vec(Bool(), 2)
  anyseq(open)
  private def openTo(machine: Bool) = machine ? open(0) | open(1)
  assume((RegNext(io.changes) init False) || open.asBits === RegNext(open.asBits))
  assume(open(0) || !open(1))
  private val settled = answers && answer.open && quiet && !io.changes
  private val around = (question.word @@ U(0, 2 bits)).resize(32)
  assume(!(settled && !answer.byWord && has(around, answer.byPage)) || openTo(question.machine))

  private val known = unit.open
  private def at[T <: Data](what: T): T = what.pull()
  private val remembered = unit.remembered.pull()
  private val passes = cmd.fire && direct && !port.rsp.fault && !unchecked
  private def before(what: Bool) = RegNext(what) init False

  Claim.always("what passes as remembered is open") {
    !(passes && remembered && cmd.va(31 downto 0) === word) || openTo(io.machine)
  }
  Claim.always("what is not remembered passes after its answer") {
    !(passes && !remembered) || before(answers && answer.open)
  }
  Claim.always("what is refused is an abort") {
    !before(answers && !answer.open) || !direct ||
    cmd.fire && port.rsp.fault && port.rsp.status === FaultStatus.accessAbort
  }
  Claim.always("what is translated passes as it is") {
    direct || !before(!cmd.isStall || held || io.unit.cmd.isStall) ||
    io.unit.cmd.valid === cmd.valid && cmd.ready === io.unit.cmd.ready && port.rsp === io.unit.rsp
  }
  Claim.always("the translate unit keeps a command until it has answered it") {
    !before(io.unit.cmd.isStall) || io.unit.cmd.valid &&
    io.unit.cmd.payload === RegNext(io.unit.cmd.payload)
  }
  Claim.always("what the translate unit has was announced there") { io.unit.isAnnounced }
  Claim.always("what passes was answered there") { !cmd.fire || io.unit.cmd.fire }
  Claim.always("a question is of the command that waits, or is withdrawn") {
    (!asking || !question.asks || told === asked) && (!question.asks || cmd.valid && direct &&
      question.word.resize(30) === cmd.va(31 downto 2) && question.access === cmd.access &&
      question.machine === io.machine)
  }

  // From here on, what makes the others follow.
  Claim.always("what is remembered is open") {
    !(at(known.known) && has(remembers, at(known.byPage))) || openTo(at(known.machine))
  }
  private def remembers = at(known.piece) @@ at(known.page) @@ U(0, 12 bits)
  Claim.always("an answer that met a change is known to be stale") {
    !asking || quiet === !at(known.stale)
  }

  Claim.reached("an access passes as remembered")(passes && remembered)
  Claim.reached("one passes in a page that is open alone") {
    passes && remembered && at(known.byPage)
  }
  Claim.reached("M-mode passes where the others may") {
    passes && remembered && io.machine && !at(known.machine)
  }
  Claim.reached("translation goes on under a command that waits") {
    cmd.valid && !direct && !io.unit.cmd.valid
  }
  Claim.reached("translation goes off under a command that waits") {
    cmd.isStall && direct && before(cmd.isStall && !direct)
  }
  Claim.reached("an answer comes that met a change") {
    answers && answer.open && !quiet && !answer.byWord
  }
}
