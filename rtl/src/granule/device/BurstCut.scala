package granule.device

import spinal.core._
import spinal.lib._

/** Cuts an entry into bursts: as long as possible, and none leaves the 4 KiB of its source or those
  * of its destination. So the same cut serves both.
  *
  * `begin` loads an entry; then `bursts` offers one after the other, and `left` says that there are
  * more. `halt` withholds what has not begun. What `bursts` offers stays until it is taken.
  *
  * Latency: 2 cycles from `begin`, then a burst in each cycle.
  */
case class BurstCut(config: DmaConfig, begin: Flow[DmaEntry], halt: Bool) extends Area {
  private val shift = log2Up(config.beatBytes)
  private val pageBeats = 4096 >> shift

  private val source, destination = Reg(UInt(64 bits))
  private val beats = Reg(UInt(32 - shift bits)) init 0
  private val fill = Reg(Bool())

  /** One beat less than until the end of the 4 KiB: the page's places above this one. */
  private def above(va: UInt): UInt = ~va(11 downto shift)
  private def least(a: UInt, b: UInt): UInt = (a < b) ? a | b

  private val most = U((config.burstBeats min pageBeats) - 1, 12 - shift bits)
  private val ofPages = Mux(
    fill,
    above(destination),
    least(above(source), above(destination))
  )
  private val ofEntry = beats - 1
  private val enough = ofEntry >= most
  private val len = least(ofPages, enough ? most | ofEntry.resize(12 - shift))

  /** AR's and AW's part of a burst. */
  case class Burst() extends Bundle {
    val source, destination = UInt(64 bits)
    val len = UInt(8 bits) // one less than its beats
  }
  private val next = Stream(Burst())
  next.valid := beats =/= 0 && !halt
  next.source := source
  next.destination := destination
  next.len := len.resized
  val left: Bool = beats =/= 0

  private val bytes = (len +^ U(1)) << shift
  when(next.fire) {
    source := source + bytes
    destination := destination + bytes
    beats := beats - (len +^ U(1))
  }
  when(begin.valid) {
    source := begin.source
    destination := begin.destination
    fill := begin.fill
    beats := (begin.bytes >> shift).resized
  }
  private val dropped = False
  val bursts = next.m2sPipe(flush = dropped)

  /** What is left is given up, with a burst that is offered. */
  def drop(): Unit = {
    beats := 0
    dropped := True
  }
}
