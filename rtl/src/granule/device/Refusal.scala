package granule.device

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Answers the refused transactions of one direction by SLVERR, one after the other; each when the
  * bus owes no answer to an older one of its ID. Newer ones wait behind it until it has left.
  *
  * `answers` are the answers, of reads beat by beat.
  */
abstract class Refusal[T <: Data](config: BridgeConfig, waiting: Waiting, inFlight: InFlight)(
    payload: HardType[T]
) extends Area {
  private[granule] val busy = RegInit(False)
  protected val slot = Reg(waiting.Slot())
  protected val id = waiting.idOf(slot)
  val answers = Stream(payload)

  protected def choose(from: Vec[Bool]): Unit = when(!busy) {
    busy := from.orR
    slot := OHToUInt(OHMasking.first(from))
  }

  inFlight.io.asked := id
  // Newer ones of its ID wait, so what the bus does not owe it never owes again.
  private[granule] val mayAnswer = RegInit(False) setWhen (busy && !inFlight.io.owes)
  answers.valid := mayAnswer

  def waits: Bool = busy && inFlight.io.owes
  def slotNow: UInt = slot
  protected def leaveAfter(last: Bool): Unit = {
    waiting.answered.valid := answers.fire && last
    waiting.answered.payload := slot
    when(waiting.answered.valid) {
      busy := False
      mayAnswer := False
    }
  }
}

/** All beats of a read. */
case class ReadRefusal(
    config: BridgeConfig,
    waiting: Waiting,
    inFlight: InFlight,
    lenOf: UInt => UInt
) extends Refusal[Axi4R](config, waiting, inFlight)(Axi4R(BridgeBus.virtual(config))) {
  private val beat = Reg(UInt(8 bits)) init 0

  choose(waiting.refused)
  answers.id := id
  answers.data := 0
  answers.resp := Axi4.resp.SLVERR
  answers.last := beat === lenOf(slot)
  when(answers.fire) { beat := answers.last ? U(0, 8 bits) | beat + 1 }
  leaveAfter(answers.last)
}

/** The answer to a write, all of whose data has come. */
case class WriteRefusal(
    config: BridgeConfig,
    waiting: Waiting,
    inFlight: InFlight,
    complete: Vec[Bool]
) extends Refusal[Axi4B](config, waiting, inFlight)(Axi4B(BridgeBus.virtual(config))) {
  choose(Vec(waiting.refused.zip(complete).map { case (refused, data) => refused && data }))
  answers.id := id
  answers.resp := Axi4.resp.SLVERR
  leaveAfter(True)
}
