package granule.verify

import granule.arch.MmuConfig
import granule.mmu.{EntryLog, Holder, InvalidateSweep, SweepOrder}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What stands around a TLB in proofs of it: a sweep that keeps its [[SweepContract]], which is
  * left out otherwise, any commands, and the log that tells the sweep what is installed.
  *
  * One installation is marked, which is any of those of the entry and the place that are watched.
  */
abstract class SweptSetting(config: MmuConfig, holder: Holder) extends Component {
  protected val order = SweepOrder(config)
  val sweep = InvalidateSweep(config)
  val log = EntryLog(config)
  val watched = Watched(config)
  private val places = order.of(holder, UIntToOh(watched.number))
  assume(places.orR)
  protected val place = OHToUInt(places)

  anyseq(sweep.io.port.cmd.valid)
  anyseq(sweep.io.port.cmd.payload)
  sweep.io.install << log.io.install
  val contract = SweepContract(sweep, watched)
  for ((_, holds) <- contract.rules) assume(holds)

  protected val clears = order.of(holder, sweep.io.clear)

  /** Somebody else installs something, which is no concern of this TLB. */
  protected def anyOther(installed: Flow[UInt], mine: Flow[UInt]): Unit = {
    anyseq(installed.valid)
    anyseq(installed.payload)
    assume(!(installed.valid && mine.valid))
  }

  /** @param installed by the TLB, in this cycle; `removed`: it takes the entry away itself; `once`:
    *                  it keeps it not.
    * @param spares    what the sweep clears in this cycle is not the entry.
    */
  case class Marked(installed: Flow[UInt], removed: Bool, spares: Bool, once: Bool = False)
      extends Area {
    private val arrives = installed.valid && installed.payload === place
    private val chosen = Bool()
    anyseq(chosen)
    val enters = chosen && arrives
    assume(!enters || log.io.install.entry === watched.entry)
    private val spared = contract.isOurs && contract.before && !watched.covered
    private val goes = clears(place) && !spares && !spared

    /** It is in the TLB. */
    val here = RegInit(False)
    when(arrives) { here := enters && !once } elsewhen (goes || removed) { here := False }

    /** It was when the last command that is watched was accepted. */
    private val isWatched = sweep.io.port.cmd.payload === watched.command
    private val older = RegInit(False)
    when(contract.accepted && isWatched) { older := arrives ? enters | here } elsewhen (arrives) {
      older := False
    }

    /** And that command was complete in the cycle before. */
    val overtaken = RegInit(False)
    when(arrives) { overtaken := False } elsewhen (contract.done && contract.isOurs && older) {
      overtaken := True
    }
    val stale = overtaken && watched.covered

    Claim.always("an entry that is there since a command is one that its sweep meets") {
      !(here && older && contract.isOurs) || contract.older && !contract.cleared
    }
    val sought = here && older && contract.isOurs && watched.covered
    Claim.always("what a command covers is not there any more when it was swept") {
      !(sought && contract.age >= contract.length)
    }
    Claim.always("what a complete command covers is still swept")(!(here && stale) || sought)
    Claim.always("what is there was written down for the sweep") {
      !here || contract.here
    }
    Claim.reached("an entry goes with a command")(here && goes)
    Claim.reached("an entry stays that a complete command does not cover") {
      here && overtaken && watched.command.isVa
    }
  }
}
