package granule.device

import spinal.core._
import spinal.lib._

/** Counters of 32 bits in a small memory, with one adder: each is visited in turn, and what
  * happened since is added. They begin with zero at reset. `value` is that of `index`, at most a
  * cycle more late than there are counters.
  */
case class Tally(events: Seq[Bool]) extends Area {
  private val number = log2Up(events.size)
  private val counts = Mem(UInt(32 bits), 1 << number)
  private val turn = CounterFreeRun(1 << number)
  private val cleared = RegInit(False) setWhen turn.willOverflow

  private val since = Vec(events.zipWithIndex.map { case (event, i) =>
    val count = Reg(UInt(log2Up(events.size + 1) bits)) init 0
    count := count.andMask(turn.value =/= i || !cleared) + event.asUInt
    count
  })
  // A register, as zeros of its reset cost no gates.
  private val sum = RegNext((counts.readAsync(turn.value) + since(turn.value)).andMask(cleared))
  counts.write(RegNext(turn.value), sum)

  val index = UInt(number bits)
  val value: Bits = counts.readAsync(index).asBits
}
