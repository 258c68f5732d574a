package granule.verify

import granule.device.{AxiBridge, LookupKind}
import spinal.core._
import spinal.lib._

/** What makes the claims of [[OrderProof]] follow, for one direction: where each transaction is
  * that was accepted and not issued.
  *
  * It is in a stage of the lookup for the first time, or in the line of its ID; only the first of a
  * line is looked up again, walked, stalled or refused.
  */
case class OrderLists(bridge: AxiBridge, direction: AxiBridge#Direction, what: String)
    extends Area {
  private val config = bridge.config
  private val waiting = direction.waiting
  private val slots = 0 until config.waiting
  private val ids = 0 until 1 << config.idWidth
  private val isWrite = Bool(direction.write)
  private val translator = bridge.translator
  private val walker = translator.walker
  private def at[T <: Data](signal: T): T = signal.pull()
  private def number(id: Int) = U(id, config.idWidth bits)
  private def slotOf(i: Int) = U(i, log2Up(config.waiting) bits)
  private def held(slot: UInt) = bridge.transactions.readAsync(isWrite.asUInt @@ slot)

  /** A lookup of this direction on its way; of the stages the youngest is first. */
  case class Stage(valid: Bool, kind: LookupKind.C, slot: UInt, write: Bool, id: UInt)
      extends Area {
    val here = valid && write === isWrite
    val fresh = here && kind === LookupKind.fresh
    val again = here && kind === LookupKind.again
    val walked = here && kind === LookupKind.walked
    val probes = here && kind === LookupKind.probe
    val mayIssue = here && !probes
  }
  private val request = translator.io.request
  private val walk = at(walker.request)
  val stages: Seq[Stage] =
    (Seq(request.valid -> request.payload) ++ Seq(
      at(translator.c0.valid) -> at(translator.c0.request),
      at(translator.c1.valid) -> at(translator.c1.request),
      at(translator.c2.valid) -> at(translator.c2.request)
    )).map { case (valid, lookup) =>
      Stage(valid, lookup.kind, lookup.slot, lookup.transaction.write, lookup.transaction.id)
    }
  private val state = at(walker.state)
  private val walks = state =/= walker.State.idle && walk.transaction.write === isWrite

  /** The second lookup of a walk is due. */
  val walksTwice = walks && state === walker.State.second

  /** Those of an ID that wait, the oldest first. */
  case class Line(id: Int) extends Area {
    val size = Reg(UInt(log2Up(config.waiting) + 1 bits)) init 0
    val places = Vec.fill(config.waiting)(Reg(waiting.Slot()) init 0)
    private val joins = waiting.joins.valid && waiting.joins.id === id
    private val leaves = waiting.issued.valid && bridge.decision.transaction.id === id ||
      waiting.answered.valid && waiting.idOf(waiting.answered.payload) === id
    private val rest = size - leaves.asUInt
    size := rest + joins.asUInt
    for (i <- slots) {
      when(leaves) { places(i) := (if (i + 1 < config.waiting) places(i + 1) else places(i)) }
      when(joins && rest === i) { places(i) := waiting.joins.slot }
    }
    def has(i: Int): Bool = size > i
    def isAt(i: Int, slot: UInt): Bool = has(i) && places(i) === slot
    def holds(slot: UInt): Bool = slots.map(isAt(_, slot)).orR
    def inOrder(one: UInt, other: UInt): Bool =
      slots.combinations(2).map(p => isAt(p(0), one) && isAt(p(1), other)).toSeq.orR
    def starts(slot: UInt): Bool = isAt(0, slot)
    def newest: UInt = places((size - 1).resized)
  }
  val lines: Seq[Line] = ids.map(Line)
  private def inLine(id: UInt)(of: Line => Bool): Bool =
    lines.map(line => id === line.id && of(line)).orR

  private def activities(slot: Int): Seq[Bool] = Seq(
    waiting.wants(slot),
    waiting.stalled(slot),
    waiting.refused(slot),
    direction.again && direction.againSlot === slot,
    walks && walk.slot === slot
  ) ++ stages.map(s => s.again && s.slot === slot)

  /** A write was issued that had waited, and its data has not passed. */
  val passes: Vec[Bool] = Vec(slots.map(_ => RegInit(False)))
  if (direction.write) {
    when(bridge.data.io.passed.valid) { passes(bridge.data.io.passed.payload) := False }
    val issued = bridge.data.io.issued
    when(issued.valid && issued.route.kept) { passes(issued.route.slot) := True }
  }

  private def ofLines(claim: Line => Bool): Bool = lines.map(claim).andR
  private def ofSlots(claim: Int => Bool): Bool = slots.map(claim).andR
  private val pairs = slots.combinations(2).toSeq

  Claim.always(s"lines of ${what}s have those that are listed") {
    ofLines { line =>
      line.size <= config.waiting && ofSlots { i =>
        val slot = line.places(i)
        !line.has(i) || waiting.listed(slot) && waiting.ids.readAsync(slot) === line.id
      }
    }
  }
  Claim.always(s"as many ${what}s are listed as are in lines") {
    lines.map(_.size.resize(6)).reduce(_ + _) === CountOne(waiting.listed)
  }
  Claim.always(s"a $what that is listed is in the line of its ID") {
    ofSlots { i =>
      val slot = slotOf(i)
      val id = waiting.ids.readAsync(slot)
      !waiting.listed(i) || inLine(id)(_.holds(slot)) && held(slot).id === id
    }
  }
  Claim.always(s"no $what is twice in its line") {
    ofLines { line =>
      pairs.map(p => !line.has(p(1)) || line.places(p(0)) =/= line.places(p(1))).andR
    }
  }
  Claim.always(s"each $what in a line names the next one and the last is named") {
    ofLines { line =>
      val named = slots.init.map { i =>
        !line.has(i + 1) || waiting.next.readAsync(line.places(i)) === line.places(i + 1)
      }
      named.andR && (line.size === 0 || waiting.last.readAsync(number(line.id)) === line.newest)
    }
  }
  Claim.always(s"the outcome of a $what knows the newest one that waits") {
    val outcome = stages.last
    ofLines { line =>
      !(outcome.valid && outcome.id === line.id) ||
      waiting.hasElder === (line.size =/= 0) &&
      (!waiting.hasElder || waiting.newest === line.newest)
    }
  }
  Claim.always(s"a $what is in one place") {
    ofSlots { i =>
      val first = stages.map(s => s.fresh && s.slot === i)
      val places = Seq(first.orR, waiting.listed(i), passes(i))
      CountOne(places) <= 1 && (!places.orR || waiting.taken(i)) && CountOne(first) <= 1
    }
  }
  Claim.always(s"a $what waits for one thing and is the first of its line") {
    ofSlots { i =>
      val slot = slotOf(i)
      val active = activities(i)
      CountOne(active) <= 1 &&
      (!active.orR || inLine(waiting.ids.readAsync(slot))(_.starts(slot)))
    }
  }
  Claim.always(s"what is held as a $what is one") {
    ofSlots(i => !waiting.taken(i) || held(slotOf(i)).write === isWrite)
  }
  Claim.always(s"a $what on its way is that of its slot") {
    stages.map { stage =>
      !stage.here || stage.id === held(stage.slot).id && waiting.taken(stage.slot) &&
      (!(stage.walked || stage.probes) || walks && walk.slot === stage.slot)
    }.andR
  }
  Claim.always(s"the first of two lookups of a $what is followed by the second") {
    val follows = walksTwice +: stages.init.map(_.walked)
    stages.zip(follows).map { case (stage, next) => !stage.probes || next }.andR &&
    !stages.last.probes
  }
  Claim.always(s"a $what that was walked is looked up once") {
    CountOne(stages.map(_.walked)) === (walks && state === walker.State.replaying).asUInt
  }
  Claim.always(s"the walk of a $what is of its slot") {
    !walks || walk.transaction.id === held(walk.slot).id
  }
}
