package granule.bridge

import granule.config.BridgeConfig
import granule.port.Checks
import spinal.core._
import spinal.lib._

/** Why a transaction waits.
  *
  * {{{
  * state    it waits                                            until
  * wants    to be looked up, behind older ones of its ID        the pipeline takes it
  * looking  it is in the pipeline, or its walk is under way     the outcome of that
  * missed   while another one's walk is under way               that walk has ended: wants
  * stalled  for software                                        resumed: wants or refused
  * refused  to be answered by SLVERR                            answered: gone
  * }}}
  */
object WaitState extends SpinalEnum {
  val wants, looking, missed, stalled, refused = newElement()
}

/** The transactions of one direction that were accepted and not issued at once, with the order of
  * those of one ID: a transaction is `first` when no older one of its ID is here.
  *
  * `occupied` says of each slot whether it may not be taken, which is at least as long as it is
  * here. What a slot holds is with [[Lookup]].
  */
case class Waiting(config: BridgeConfig) extends Area {
  private val slots = config.waiting
  def Slot(): UInt = UInt(log2Up(slots) bits)

  val valid = Vec.fill(slots)(RegInit(False))
  val id = Vec.fill(slots)(Reg(UInt(config.idWidth bits)))
  val state = Vec.fill(slots)(Reg(WaitState()))
  private val older = Vec.fill(slots)(Reg(Bits(slots bits))) // older ones of its ID, a bit each
  val occupied = Vec.fill(slots)(Bool())

  private val goes = Vec.fill(slots)(CombInit(False))
  private def is(slot: Int, some: SpinalEnumElement[WaitState.type]) =
    valid(slot) && state(slot) === some
  private def first(slot: Int) = !older(slot).orR

  def any: Bool = valid.orR
  def free: UInt = OHToUInt(OHMasking.first(Vec(occupied.map(!_))))

  /** One of this ID is here, though it may go in this cycle: when it does is known late. */
  def holds(wanted: UInt): Bool = sameId(wanted).orR
  private def sameId(wanted: UInt) = Vec(valid.zip(id).map { case (v, i) => v && i === wanted })

  /** Those that may be looked up again. */
  val eligible = Vec((0 until slots).map(i => is(i, WaitState.wants) && first(i))).asBits
  val stalled = Vec((0 until slots).map(is(_, WaitState.stalled))).asBits
  val refused = Vec((0 until slots).map(is(_, WaitState.refused))).asBits

  for (i <- 0 until slots; j <- 0 until slots) when(goes(j)) { older(i)(j) := False }
  for (i <- 0 until slots) when(goes(i)) { valid(i) := False }

  def leave(slot: UInt): Unit = goes(slot) := True

  def become(slot: UInt, some: WaitState.C): Unit = state(slot) := some

  /** Where one that was looked up for the first time goes. */
  def insert(slot: UInt, newId: UInt, some: WaitState.C): Unit = {
    valid(slot) := True
    id(slot) := newId
    state(slot) := some
    older(slot) := sameId(newId).asBits & ~goes.asBits
  }

  /** The walk that they waited for has ended. */
  def lookAgain(): Unit =
    for (i <- 0 until slots) when(is(i, WaitState.missed)) { state(i) := WaitState.wants }

  /** What software decides; it means nothing for a slot that does not stall. */
  def resume(slot: UInt, retry: Bool): Unit = when(stalled(slot)) {
    state(slot) := retry ? WaitState.wants | WaitState.refused
  }

  Checks {
    for (i <- 0 until slots) {
      val issuable = is(i, WaitState.looking) || is(i, WaitState.stalled)
      assert(!(issuable && !first(i)), "waiting: one is looked up before an older one of its ID")
    }
  }
}
