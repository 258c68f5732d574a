package granule.verify

import granule.device.AxiBridge
import spinal.core._
import spinal.lib._

/** What makes the claims of [[OrderProof]] follow, for one direction: the bridge counts what the
  * bus owes, and SLVERR and invalidations wait for it.
  */
case class OrderOwed(bridge: AxiBridge, direction: AxiBridge#Direction, lists: OrderLists)
    extends Area {
  private val config = bridge.config
  private val what = lists.what
  private val waiting = direction.waiting
  private val inFlight = direction.inFlight
  private val ids = 0 until 1 << config.idWidth
  private def at[T <: Data](signal: T): T = signal.pull()
  private def Count() = UInt(log2Up(config.outstanding) + 2 bits)

  private val answered = inFlight.io.answered
  private val issued = inFlight.io.issued

  /** Issued and not answered, of each ID. */
  val owed: Vec[UInt] = Vec(ids.map { id =>
    val count = Reg(Count()) init 0
    val more = issued.valid && issued.payload === id
    val less = answered.valid && answered.payload === id
    when(more =/= less) { count := more ? (count + 1) | (count - 1) }
    count
  })
  private val all = owed.reduce(_ + _)
  private val coming = CountOne(lists.stages.map(_.mayIssue))

  private val counts = inFlight.rework(new Area {
    val left = Vec(inFlight.sets.map { set =>
      Vec(ids.map { id =>
        val number = U(id, config.idWidth bits)
        set.issued.readAsync(number) - set.answered.readAsync(number)
      })
    })
    val totals = Vec(inFlight.sets.map(set => CombInit(set.total)))
    val clearing = CombInit(inFlight.clearing)
  })
  private val (left, totals) = (at(counts.left), at(counts.totals))
  private val ready = CombInit(inFlight.io.ready)

  Claim.always(s"counts of ${what}s are what the bus owes") {
    val ofIds = ids.map { id =>
      val isClear = ready || at(counts.clearing) > id
      !isClear || owed(id) === left.map(_(id).resize(widthOf(all))).reduce(_ + _)
    }
    val ofAll = totals.zip(left).map { case (total, set) => !ready || total === set.reduce(_ + _) }
    ofIds.andR && ofAll.andR
  }
  Claim.always(s"nothing goes on before counts of ${what}s are zero") {
    ready || all === 0 && coming === 0 && totals.map(_ === 0).andR && !waiting.taken.orR
  }
  Claim.always(s"the bus owes no more ${what}s than may be outstanding") {
    val credit = direction.issueCredit.left
    credit.resize(6) + coming + all === 2 * config.outstanding - 1 &&
    credit >= config.outstanding - 1 && owed.map(_ <= config.outstanding).andR
  }
  Claim.always(s"the second lookup of a walked $what has room") {
    !lists.walksTwice || direction.issueCredit.any
  }

  private val refusal = OrderOwed.refusal(bridge, direction)
  Claim.always(s"who answers a $what by SLVERR has one that is refused") {
    !refusal.busy || waiting.refused(refusal.slotNow)
  }
  Claim.always(s"SLVERR of a $what comes when the bus owes its ID nothing") {
    !refusal.mayAnswer || refusal.busy && owed(waiting.idOf(refusal.slotNow)) === 0
  }
  Claim.always(s"answers to ${what}s of before an invalidation are waited for") {
    val invalidation = bridge.translator.invalidation
    !inFlight.io.marked || at(invalidation.marked) || at(invalidation.waits)
  }
}

object OrderOwed {

  /** Who answers those of a direction by SLVERR. */
  def refusal(bridge: AxiBridge, direction: AxiBridge#Direction) =
    if (direction.write) bridge.answers.writeRefusal else bridge.answers.readRefusal
}
