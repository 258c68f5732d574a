package granule.verify

import granule.arch.MmuConfig
import granule.device.{AxiBridge, BridgeConfig}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** The AXI bridge keeps the order of an ID, of reads and of writes, across misses, walks, faults
  * and what software decides about them.
  *
  * Two transactions are watched, which are any two of an ID and a direction. The later one goes to
  * the bus when the earlier one did or was answered by SLVERR; it is answered by SLVERR when the
  * earlier one was answered. The bus keeps the order of what goes to it (AXI). [[OrderLists]] and
  * [[OrderOwed]] say why that is so.
  *
  * The micro TLB, the registers and the log are left out: what hits, faults or stalls, and what
  * software resumes, is anything. So are the sweep and the data of writes, of which this is used:
  * the sweep is done once for each command, before it takes the next one ([[SweepContract]]); the
  * data of a write passes once, when that has waited and was issued.
  */
case class OrderProof(config: MmuConfig) extends Component {
  private val small = BridgeConfig(idWidth = 1, streams = 2, tlbEntries = 4, faults = 2)
  val bridge = AxiBridge(small, config)
  for (input <- bridge.getAllIo if input.isInput) anyseq(input)

  bridge.rework {
    val translator = bridge.translator
    val port = translator.sweep.io.port
    val fires = port.cmd.valid.pull() && port.cmd.ready.pull()
    val done = port.done.pull()
    val owed = RegInit(False) setWhen fires clearWhen done
    assume(!done || owed)
    assume(!(port.cmd.ready.pull() && owed))
    Claim.always("no command is swept while answers of before another one are waited for") {
      val invalidation = translator.invalidation
      val waits = invalidation.marked.pull() || invalidation.waits.pull()
      val after = Seq(translator.io.mark, waits)
      CountOne(after) <= 1 && (!after.orR || invalidation.draining.pull() && !owed)
    }
    Claim.always("no invalidation is under way twice") {
      !(translator.invalidation.draining.pull() && owed)
    }
    Claim.always("the second lookup of a walk follows the first") {
      val walker = translator.walker
      bridge.choice.probed === (walker.state.pull() === walker.State.second)
    }
    for ((direction, what) <- Seq(bridge.reads -> "read", bridge.writes -> "write"))
      OrderedPair(bridge, direction, what)
  }
}

/** An earlier and a later transaction of a direction and an ID. */
case class OrderedPair(bridge: AxiBridge, direction: AxiBridge#Direction, what: String)
    extends Area {
  private val lists = OrderLists(bridge, direction, what)
  private val counts = OrderOwed(bridge, direction, lists)
  private val id = anyconst(UInt(bridge.config.idWidth bits))
  private val isWrite = Bool(direction.write)
  private val (choice, decision) = (bridge.choice, bridge.decision)
  private val accepts = choice.fresh && choice.freshWrites === isWrite &&
    choice.accepted.id === id
  private val issues = decision.issues && decision.transaction.write === isWrite &&
    decision.transaction.id === id
  private val refused = direction.waiting.answered
  private val refusal = OrderOwed.refusal(bridge, direction)
  private val bus = direction.inFlight.io.answered
  private val answered = bus.valid && bus.payload === id
  private val owed = counts.owed(id)

  // The bus answers what was issued; a write's data passes when it has waited and was issued.
  assume(!bus.valid || counts.owed(bus.payload) =/= 0)
  if (direction.write) {
    val passed = bridge.data.io.passed
    assume(!passed.valid || lists.passes(passed.payload))
  }

  private case class Watch(which: String, comes: Bool) extends Area {
    val came, atBus, over = RegInit(False)
    private val begins = comes && !came
    came setWhen begins
    val slot = RegNextWhen(choice.freshSlot, begins)
    val waits = came && !atBus && !over
    val issued = waits && issues && decision.slot === slot
    val refuses = waits && refusal.answers.valid && refusal.slotNow === slot

    /** Answers of the bus up to its own. */
    private val ahead = Reg(cloneOf(owed))
    when(issued) {
      atBus := True
      ahead := owed + 1 - answered.asUInt
    }
    when(atBus && answered) {
      ahead := ahead - 1
      over setWhen (ahead === 1)
    }
    over setWhen (waits && refused.valid && refused.payload === slot)

    /** In the line of its ID, or in stages of its first lookup. */
    val inLine = lists.lines.map(line => id === line.id && line.holds(slot)).orR
    val stages = lists.stages.map(s => s.fresh && s.slot === slot && s.id === id)
    Claim.always(s"the $which $what waits somewhere")(!waits || inLine || stages.orR)
    Claim.always(s"the bus owes the $which $what while it has it") {
      !(atBus && !over) || ahead =/= 0 && ahead <= owed
    }
  }
  private val chosen = Bool()
  anyseq(chosen)
  private val earlier = Watch("earlier", accepts && chosen)
  private val later = Watch("later", accepts && chosen && earlier.came)

  Claim.always(s"a $what is issued when an earlier one of its ID was issued or answered") {
    !later.issued || !earlier.waits
  }
  Claim.always(s"SLVERR of a $what comes when an earlier one of its ID was answered") {
    !later.refuses || earlier.over
  }
  Claim.always(s"the later $what waits behind the earlier one") {
    val stages = earlier.stages.zipWithIndex.map { case (isHere, i) =>
      isHere && later.stages.take(i).orR
    }
    (!later.came || earlier.came) &&
    (!(earlier.waits && later.waits) || earlier.inLine && later.stages.orR || stages.orR ||
      lists.lines.map(line => id === line.id && line.inOrder(earlier.slot, later.slot)).orR)
  }

  Claim.reached(s"both ${what}s go to the bus")(earlier.atBus && later.atBus)
  Claim.reached(s"a $what waits behind one that stalls") {
    earlier.waits && later.waits && earlier.inLine && later.inLine &&
    direction.waiting.stalled(earlier.slot)
  }
  Claim.reached(s"SLVERR answers the earlier $what, the bus the later one") {
    earlier.over && !earlier.atBus && later.over && later.atBus
  }
  Claim.reached(s"the bus answers the earlier $what, SLVERR the later one") {
    earlier.over && earlier.atBus && later.over && !later.atBus
  }
}
