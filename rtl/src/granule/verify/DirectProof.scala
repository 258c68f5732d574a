package granule.verify

import granule.arch.MmuConfig
import granule.mmu.{TranslateUnit, WalkProtection}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** An access without translation passes only after a walk of its own, or where the entries of
  * physical memory protection open what it asks for in that cycle. So nothing that was open before
  * a change of the entries is remembered after it.
  *
  * One word is watched, which is any. Whether it is open is anything, and stays until the entries
  * change. Walker and micro TLB are left out. A walk without a change since it was asked tells what
  * is open ([[GuardedWalkProof]]); any other walk tells anything.
  */
case class DirectProof(config: MmuConfig) extends Component {
  val unit = TranslateUnit(config, config.dataTlbEntries, fetch = false, bare = true)
  private val io = unit.io
  private val (port, request, leaf) = (io.port, io.request, io.leaf)
  private val cmd = port.cmd
  for (input <- Seq(port.ahead.valid, cmd.valid, request.ready, leaf.valid, io.fault.valid))
    anyseq(input)
  for (input <- Seq(io.machine, io.unchecked, io.pmpChanges)) anyseq(input)
  for (input <- Seq(io.context, cmd.payload, leaf.payload, io.fault.payload)) anyseq(input)
  anyseq(port.ahead.payload)
  anyseq(io.clear)

  // A command waits as it is, and so does its mode.
  private val held = RegNext(cmd.isStall) init False
  assume(
    !held || cmd.valid && cmd.payload === RegNext(cmd.payload) && io.machine === RegNext(io.machine)
  )
  assume(port.isAnnounced)
  private val direct = cmd.untranslated || !io.context.enabled

  // ---- the walk ---------------------------------------------------------------------------------
  private val ends = leaf.valid || io.fault.valid
  private val walking = RegInit(False)
  when(request.fire) { walking := !cmd.fire } elsewhen (ends || cmd.fire) { walking := False }
  assume(!ends || walking)
  assume(!(leaf.valid && io.fault.valid))
  private val asked = RegNextWhen(request.payload, request.fire)
  assume(!leaf.valid || leaf.direct === asked.direct)

  /** No entry has changed since it was asked. */
  private val quiet = RegInit(False)
  when(request.fire) { quiet := !io.pmpChanges } elsewhen (io.pmpChanges) { quiet := False }

  // ---- the word ---------------------------------------------------------------------------------
  private val word = anyconst(UInt(32 bits))
  private def piece(va: UInt) = va(31 downto WalkProtection.directPiece)
  private def page(va: UInt) = va(WalkProtection.directPiece - 1 downto 12)
  private def has(around: UInt, byPage: Bool) =
    piece(word) === piece(around) && (!byPage || page(word) === page(around))

  /** To M-mode, and to the others. */
  private val open = Vec(Bool(), 2)
  anyseq(open)
  private def openTo(machine: Bool) = machine ? open(0) | open(1)
  assume((RegNext(io.pmpChanges) init False) || open.asBits === RegNext(open.asBits))
  assume(open(0) || !open(1))
  private val settled = leaf.valid && leaf.direct && quiet && !io.pmpChanges
  assume(
    !(settled && !leaf.once && has(asked.va, leaf.byPage)) || openTo(asked.machine)
  )

  private val known = unit.protection.open
  private def at[T <: Data](what: T): T = what.pull()
  private val remembered = unit.remembered.pull()
  private val passes = cmd.fire && direct && !port.rsp.fault && !io.unchecked
  private val walked = RegNext(leaf.valid && leaf.direct) init False

  Claim.always("what passes as remembered is open") {
    !(passes && remembered && cmd.va(31 downto 0) === word) || openTo(io.machine)
  }
  Claim.always("what is not remembered passes after its walk") {
    !(passes && !remembered) || walked
  }
  Claim.always("a walk is of the command that waits") {
    !walking || held && asked.machine === io.machine &&
    (!asked.direct || asked.va(31 downto 0) === cmd.va(31 downto 0))
  }

  // From here on, what makes the others follow.
  Claim.always("what is remembered is open") {
    !(at(known.known) && has(remembers, at(known.byPage))) || openTo(at(known.machine))
  }
  private def remembers = at(known.piece) @@ at(known.page) @@ U(0, 12 bits)
  Claim.always("a walk that met a change is known to be stale") {
    !walking || quiet === !at(known.stale)
  }

  Claim.reached("an access passes as remembered")(passes && remembered)
  Claim.reached("one passes in a page that is open alone") {
    passes && remembered && at(known.byPage)
  }
  Claim.reached("M-mode passes where the others may") {
    passes && remembered && io.machine && !at(known.machine)
  }
  Claim.reached("a walk ends that met a change") {
    leaf.valid && leaf.direct && !quiet && !leaf.once
  }
}
