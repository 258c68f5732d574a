package granule.verify

import granule.arch.{TableFormats, TlbiOperand}
import granule.mmu.{InvalidateSweep, Suspects, SweepOrder}
import spinal.core._
import spinal.lib._

/** What the rest of the MMU needs to know of a sweep, which [[SweepProof]] proves of it alone, in
  * terms of one command, one entry and one place that are [[Watched]].
  */
case class SweepContract(sweep: InvalidateSweep, watched: Watched) extends Area {
  private val config = sweep.config
  private def at[T <: Data](port: T): T = port.pull()
  private val cmd = sweep.io.port.cmd
  private val ready = at(cmd.ready)
  private val command = at(cmd.payload)
  val accepted = at(cmd.valid) && ready
  val done = at(sweep.io.port.done)
  private val mayStore = at(sweep.io.underWay.mayStore)
  private val busy = at(sweep.io.busy)
  private val clears = at(sweep.io.clear)(watched.number)

  /** Cycles from the acceptance to the last cycle of a sweep, and to `done`. */
  val length = SweepOrder(config).steps + 3
  val latency = 3

  /** Cycles since the last acceptance; stays at its end. */
  val over = length + 1
  val age = Reg(UInt(log2Up(over + 1) bits)) init over
  when(accepted) { age := 1 } elsewhen (age =/= over) { age := age + 1 }
  val owed = RegInit(False) setWhen accepted clearWhen done

  /** The command under way, or the last one, is the one watched. */
  val isOurs = RegInit(False)
  when(accepted) { isOurs := command === watched.command }

  /** The entry is in its place; and was, already, when the command was accepted. */
  private val install = at(sweep.io.install.payload)
  private val arrives = at(sweep.io.install.valid) && install.number === watched.number
  private val isEntry = install.entry === watched.entry
  val here = RegInit(False)
  when(arrives) { here := isEntry }
  val before = RegNext(here) init False
  private val stays = RegInit(False) clearWhen arrives
  when(accepted) { stays := arrives ? isEntry | here }
  val older = stays && here && (age === 1 || before)

  /** Its place was cleared since the command. */
  val cleared = RegInit(False)
  when(accepted) { cleared := False } elsewhen (clears) { cleared := True }

  private val walk = at(sweep.io.underWay)
  private val mayBring = walk.upper === watched.entry.firstPage.msb &&
    walk.asid === watched.entry.asid

  private val compared = at(sweep.io.compared)(watched.number)
  val wasCompared = RegInit(False)
  when(accepted) { wasCompared := False } elsewhen (compared) { wasCompared := True }

  private val isCommand = command === watched.command
  private val swept = age < over

  val rules: Seq[(String, Bool)] = Seq(
    s"done comes $latency cycles after the command, or when no swap is under way" ->
      (done === (owed && age >= latency && !mayStore)),
    "the next command is held until this one is done and swept" ->
      (ready === (!owed && age === over)),
    "it is swept meanwhile" -> (busy === swept),
    "what a command covers goes before the sweep is over" ->
      (!(isOurs && older && watched.covered && age >= length) || cleared),
    "nothing goes that it does not cover" -> (!(isOurs && before && clears) || watched.covered),
    "nothing goes without a command" -> (!clears || age > 1 && age < length),
    "a walk that may bring what it covers is told so" ->
      (!(accepted && isCommand && watched.covered && mayBring) ||
        at(sweep.io.invalidated.payload)),
    "the walk is told in the cycle of the command" ->
      (at(sweep.io.invalidated.valid) === accepted)
  ) ++ rulesOfSuspects

  private def rulesOfSuspects = {
    val suspects = at(sweep.io.suspects.payload)
    val ours = watched.command
    val va = TlbiOperand.va.of(ours.operand)
    val least = TableFormats(config).pageShift - 12
    val areOurs = suspects.everything === ours.isAll && suspects.byAsid === ours.isAsid &&
      suspects.byVa === ours.isVa && suspects.byRange === ours.isRange &&
      !(ours.isVa && (suspects.upper =/= va.msb ||
        suspects.page =/= va.asSInt.resize(60)(least, suspects.page.getWidth bits).asBits)) &&
      !(ours.isRange && suspects.upper =/= TlbiOperand.base.msb(ours.operand))
    Seq(
      "suspects come in the cycle after the command" ->
        (at(sweep.io.suspects.valid) === (age === 1)),
      "they are those of the command" -> (!isOurs || areOurs),
      "what goes was compared" -> (!clears || compared),
      "each is compared once, under the sweep" ->
        (!(compared && (wasCompared || age >= length)) && !((compared || wasCompared) && age < 2) &&
          (age < length || wasCompared || age === over)),
      "what is compared and covered goes" ->
        (!(isOurs && before && compared && watched.covered) || clears)
    )
  }
}
