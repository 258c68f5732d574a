package granule.verify

import granule.arch.MmuConfig
import granule.mmu.InvalidateSweep
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A sweep keeps its [[SweepContract]]. Around it everything is anything: commands, what TLBs
  * install and when, the walk under way.
  */
case class SweepProof(config: MmuConfig) extends Component {
  val sweep = InvalidateSweep(config)
  private val watched = Watched(config)
  anyseq(sweep.io.port.cmd.valid)
  anyseq(sweep.io.port.cmd.payload)
  anyseq(sweep.io.underWay)
  anyseq(sweep.io.install.valid)
  anyseq(sweep.io.install.payload)

  private val contract = SweepContract(sweep, watched)
  for ((rule, holds) <- contract.rules) Claim.always(rule)(holds)

  // From here on, what makes the others follow in a step: what the sweep has at its age.
  private val scope = sweep.scope.pull()
  private val entry = watched.entry
  private val inScope = scope.coversAnywhere(entry) ||
    scope.coversThere(entry) && scope.overlaps(entry, scope.end)
  private val wider = sweep.wider.pull()
  Claim.always("the scope covers what the command covers") {
    !contract.isOurs || wider =/= 0 ||
    (inScope && !(watched.isTable && scope.leavesOnly)) === watched.covered
  }
  Claim.always("a range is widened in the cycle after its command") {
    wider === 0 || wider === 1 && contract.age === 1
  }
  private val number = watched.number
  private val steps = contract.length - 3
  private val step = number.resize(log2Up(steps) bits)
  private val turn = contract.age === step +^ 3
  private def inLane[T <: Data](each: Seq[T]): T = Vec(each)((number >> step.getWidth).resized)
  private val copy = sweep.rework {
    val place = number.pull()
    Vec(sweep.lanes.map(_.copies.readAsync(place.resized)))((place >> step.getWidth).resized)
  }
  private val compared = inLane(sweep.lanes.map(_.entry.pull()))
  private val anywhere = inLane(sweep.lanes.map(_.anywhere.pull()))
  private val there = inLane(sweep.lanes.map(_.there.pull()))
  Claim.always("a copy is what was installed last")(!contract.here || copy.pull() === entry)
  Claim.always("a place has its turn in the cycle after its step") {
    val (age, state, places) = (contract.age, sweep.state.pull(), sweep.State)
    val sweeps = age >= 2 && age < steps + 2
    val expected = places()
    expected := places.finish
    when(age === 1) { expected := places.widen }
    when(sweeps) { expected := places.sweep }
    when(age === steps + 2) { expected := places.settle }
    when(!sweep.io.busy) { expected := places.idle }
    state === expected &&
    (age =/= 1 || sweep.step.pull() === 0) &&
    (!sweeps || sweep.step.pull() === (age - 2).resized) &&
    (!(age >= 3 && age < steps + 3) ||
      sweep.place.pull() === UIntToOh((age - 3).resize(step.getWidth)))
  }
  Claim.always("a command owes its end") {
    val age = contract.age
    age <= contract.over && (age > contract.latency || contract.owed)
  }
  Claim.always("in its turn an entry is compared") {
    !(turn && contract.before) || compared === entry &&
    anywhere === scope.coversAnywhere(entry) && there === scope.coversThere(entry)
  }
  Claim.always("each was compared after its turn and not before") {
    contract.age === contract.over || contract.wasCompared === contract.age > step +^ 3
  }
  Claim.always("an end that is owed is open")(sweep.io.open === contract.owed)
  Claim.always("after its turn an entry that is covered is gone") {
    !(contract.isOurs && contract.older && watched.covered && contract.age > step +^ 3) ||
    contract.cleared
  }

  private val clears = sweep.io.clear(watched.number)
  private val kind = watched.command
  for (
    (name, is) <- Seq(
      "all" -> kind.isAll,
      "an ASID" -> kind.isAsid,
      "a VA" -> kind.isVa,
      "a range" -> kind.isRange
    )
  )
    Claim.reached(s"an entry goes with $name")(contract.isOurs && contract.older && clears && is)
  Claim.reached("a table goes")(contract.isOurs && contract.older && clears && watched.isTable)
  Claim.reached("an entry stays though its ASID is covered") {
    contract.isOurs && contract.older && contract.age === contract.length && !contract.cleared &&
    kind.asid === entry.asid.resized && kind.isRange
  }
  Claim.reached("an entry is installed under a sweep and is covered") {
    contract.isOurs && contract.here && !contract.older && watched.covered &&
    contract.age === contract.length && !contract.cleared
  }
  Claim.reached("done waits for a swap")(contract.owed && contract.age > contract.latency)
  Claim.reached("a command is held")(sweep.io.port.cmd.isStall)
}
