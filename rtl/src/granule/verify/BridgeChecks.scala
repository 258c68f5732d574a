package granule.verify

import granule.arch.{Checks, CoverPoint}
import granule.device._
import spinal.core._
import spinal.lib._

/** The order within an ID, said a second time by counting, for one direction: a transaction knows
  * how many of its ID were accepted before it. It is issued when as many were issued or refused,
  * and SLVERR is answered when as many were answered. Only in simulation.
  *
  * `next` is the number of what is `accepted`; `refused` is the slot whose transaction is
  * answered by SLVERR, `keptIn` is the slot that `kept` takes; `answered` is the ID of an answer
  * of the bus. `isEven`: as many were answered as accepted.
  */
case class OrderChecks(config: BridgeConfig) extends Area {
  private val ids = 1 << config.idWidth
  private def Id() = UInt(config.idWidth bits)
  private def counts = Vec.fill(ids)(Reg(UInt(8 bits)) init 0)

  val accepted = Flow(Id())
  val issued, kept = Flow(Transaction(config))
  val keptIn = UInt(log2Up(config.waiting) bits)
  val refused = Flow(UInt(log2Up(config.waiting) bits))
  val answered = Flow(Id())

  private val acceptedCount, settledCount, answeredCount = counts
  val next = acceptedCount(accepted.payload)
  when(accepted.valid) { acceptedCount(accepted.payload) := next + 1 }

  private val here = Vec.fill(config.waiting)(Reg(Transaction(config)))
  private val waits = Vec.fill(config.waiting)(RegInit(False))
  when(kept.valid) {
    here(keptIn) := kept.payload
    waits(keptIn) := True
  }
  when(refused.valid) {
    val left = here(refused.payload)
    waits(refused.payload) := False
    val id = left.id
    assert(
      answeredCount(id) === left.sequence,
      "bridge: SLVERR overtakes an older answer of its ID"
    )
    settledCount(id) := settledCount(id) + 1
    answeredCount(id) := answeredCount(id) + 1
  }
  when(issued.valid) {
    val id = issued.payload.id
    assert(
      settledCount(id) === issued.payload.sequence,
      "bridge: a transaction is issued before an older one of its ID"
    )
    settledCount(id) := settledCount(id) + 1
    for (i <- 0 until config.waiting)
      when(here(i).id === id && here(i).sequence === issued.payload.sequence) { waits(i) := False }
  }
  when(answered.valid) {
    answeredCount(answered.payload) := answeredCount(answered.payload) + 1
  }

  def isEven: Bool = acceptedCount.zip(answeredCount).map { case (a, b) => a === b }.andR

  /** One waits that is of the same ID as the one in the slot, and newer. */
  def newerWaits(slot: UInt): Bool = here
    .zip(waits)
    .map { case (other, w) =>
      w && other.id === here(slot).id && other.sequence =/= here(slot).sequence
    }
    .orR
}

/** What an [[granule.device.AxiBridge]] relies on, of more than one of its parts. */
object BridgeChecks {
  def apply(bridge: AxiBridge): Unit = {
    import bridge._
    import decision.{outcome, transaction}
    for (d <- directions) {
      val mine = transaction.write === Bool(d.write)
      val refusal = if (d.write) answers.writeRefusal else answers.readRefusal
      val order = OrderChecks(config)
      order.accepted.valid := choice.fresh && choice.accepted.write === Bool(d.write)
      order.accepted.payload := choice.accepted.id
      when(order.accepted.valid) { choice.accepted.sequence := order.next }
      order.issued.valid := decision.issues && mine
      order.issued.payload := transaction
      order.kept.valid := d.waiting.joins.valid
      order.kept.payload := transaction
      order.keptIn := decision.slot
      order.refused << d.waiting.answered
      order.answered << d.inFlight.io.answered
      assert(!registers.io.idle || order.isEven, "bridge: idle, and a transaction was not answered")

      val others = d.waiting.listed.orR && !d.waiting.hasElder
      CoverPoint("bridge.hit_overtakes")(order.issued.valid && decision.isFresh && others)
      CoverPoint("bridge.joins_as_elder_leaves")(
        d.waiting.joins.valid && d.waiting.elderLeaves
      )
      CoverPoint("bridge.behind_own_id")(decision.behind && mine && outcome.translated)
      CoverPoint("bridge.refusal_waits")(refusal.waits)
      CoverPoint("bridge.refusal_between")(refusal.waits && order.newerWaits(refusal.slotNow))
    }
    val passes = Vec.fill(config.waiting)(RegInit(False))
    val (kept, passed) = (data.io.issued, data.io.passed)
    when(passed.valid) { passes(passed.payload) := False }
    when(kept.valid && kept.route.kept) { passes(kept.route.slot) := True }
    assert(
      !passed.valid || passes(passed.payload),
      "bridge: data passes of a write that was not issued, or twice"
    )
    CoverPoint("bridge.second_miss")(decision.misses && !translator.io.canAsk)
    CoverPoint("bridge.address_of_two")(choice.offered.andR)
    for (
      (name, stream) <- Seq(
        "bus AR" -> io.bus.ar,
        "bus AW" -> io.bus.aw,
        "bus W" -> io.bus.w,
        "client R" -> io.client.r,
        "client B" -> io.client.b
      )
    ) Checks.held(s"bridge: $name", stream.asInstanceOf[Stream[Bundle]])
  }
}
