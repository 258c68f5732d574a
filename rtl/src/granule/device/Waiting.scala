package granule.device

import granule.arch.Checks
import spinal.core._
import spinal.lib._

/** What becomes of a transaction that was looked up and is not issued, each of it in one cycle;
  * nothing of it while its own walk is under way, or while an older one of its ID waits.
  */
case class WaitsFor() extends Bundle {
  val lookup, walkOfAnother, software, refusal = Bool()
}

/** The transactions of one direction that were accepted and not issued, each in a slot.
  *
  * {{{
  * a slot     while its transaction
  * taken      is here; and that of a write until its data that was kept has passed
  * listed     waits: it was looked up and not issued
  * wants      is to be looked up; but not before the walk under way has ended when it has `missed`
  * stalled    waits for software
  * refused    is to be answered by SLVERR
  * }}}
  *
  * Those of one ID that wait are a list. Only its first one is ever looked up or refused; when that
  * leaves, the `next` one wants. `last` names the newest one of an ID, if that is still here: the
  * slot is listed, and with this ID.
  *
  * Priority of those that want is fixed, as nothing is accepted before all of them were looked up.
  */
case class Waiting(config: BridgeConfig) extends Area {
  private val slots = config.waiting
  def Slot(): UInt = UInt(log2Up(slots) bits)
  private def Id() = UInt(config.idWidth bits)
  private def flags = Vec.fill(slots)(RegInit(False))

  val taken, listed, stalled, refused = flags
  private[granule] val wants, missed = flags
  private[granule] val ids = Mem(Id(), slots)
  private[granule] val next = Mem(Slot(), slots)
  private[granule] val last = Mem(Slot(), 1 << config.idWidth)

  private def first(of: Vec[Bool]) = OHToUInt(OHMasking.first(of))
  val hasRoom: Bool = !taken.andR
  val free: UInt = first(Vec(taken.map(!_)))

  private val eligible = Vec(wants.zip(missed).map { case (w, m) => w && !m })
  val wanting: Bool = eligible.orR
  val wanted: UInt = first(eligible)

  def accept(slot: UInt): Unit = taken(slot) := True
  def release(slot: UInt): Unit = taken(slot) := False

  /** The one that is `wanted` is looked up. */
  def lookUp(): Unit = wants(wanted) := False

  /** What happens in a cycle: one begins to wait, as its first lookup found no way; one that waited
    * is issued; one is answered by SLVERR.
    */
  val joins = Flow(new Bundle {
    val slot = Slot()
    val id = Id()
  })
  val issued, answered = Flow(Slot())

  /** Of the transaction whose outcome is there in the next cycle. */
  val coming = Id()

  /** Of the one whose outcome is there: the newest one of its ID that waits, if one does. Found a
    * cycle before, with what happened in that.
    */
  private def isOf(slot: UInt)(event: Flow[UInt]) = event.valid && event.payload === slot
  private val joinsBefore = joins.valid && joins.id === coming
  private val found = last.readAsync(coming)
  private val stays = listed(found) && ids.readAsync(found) === coming &&
    !Seq(issued, answered).map(isOf(found)).orR
  val newest = RegNext(joinsBefore ? joins.slot | found)
  val hasElder = RegNext(joinsBefore || stays)
  val elderLeaves = hasElder && isOf(newest)(answered)

  when(joins.valid) {
    listed(joins.slot) := True
    when(elderLeaves) { wants(joins.slot) := True }
  }
  ids.write(joins.slot, joins.id, enable = joins.valid)
  last.write(joins.id, joins.slot, enable = joins.valid)
  next.write(newest, joins.slot, enable = joins.valid && hasElder)

  def become(slot: UInt, what: WaitsFor): Unit = {
    when(what.lookup) { wants(slot) := True }
    when(what.walkOfAnother) { missed(slot) := True }
    when(what.software) { stalled(slot) := True }
    when(what.refusal) { refused(slot) := True }
  }

  private def leave(now: Flow[UInt], isNewest: Bool): Unit = {
    val heir = next.readAsync(now.payload)
    when(now.valid) {
      listed(now.payload) := False
      when(!isNewest) { wants(heir) := True }
    }
  }
  leave(issued, newest === issued.payload)
  leave(answered, last.readAsync(idOf(answered.payload)) === answered.payload)
  when(answered.valid) {
    refused(answered.payload) := False
    release(answered.payload)
  }

  /** The walk that they waited for has ended. */
  def lookAgain(): Unit = missed.foreach(_ := False)

  /** What software decides; it means nothing for a slot that does not stall. */
  def resume(slot: UInt, retry: Bool): Unit = when(stalled(slot)) {
    stalled(slot) := False
    when(retry) { wants(slot) := True } otherwise { refused(slot) := True }
  }

  /** The ID of what waits in a slot. */
  def idOf(slot: UInt): UInt = ids.readAsync(slot)

  Checks {
    for (i <- 0 until slots) {
      val flags = Seq(wants(i), stalled(i), refused(i))
      Checks.atMostOne("waiting: a slot waits for two things", flags: _*)
      assert(!flags.orR || listed(i), "waiting: a slot waits that is in no list")
      assert(!listed(i) || taken(i), "waiting: a slot is in a list and free")
    }
  }
}
