package granule.port

import spinal.core._
import spinal.lib._

/** What files agree on, said where a simulation can see it. A check that fails ends the simulation
  * with its text. Checks and [[CoverPoint]]s are in Verilog for tests of units only: they cost no
  * gate, so they may compare and remember as much as they like.
  */
object Checks {
  def apply(block: => Unit): Unit = if (GenerationFlags.simulation.isEnabled) block

  /** What is offered stays as it is until it is taken. `mayGo`: what is offered in this cycle may
    * be withdrawn, or may change, all the same.
    */
  def held[T <: Data](name: String, stream: Stream[T], mayGo: Bool = False): Unit = Checks {
    val owed = RegNext(stream.isStall && !mayGo) init False
    val before = RegNext(stream.payload)
    assert(!owed || stream.valid, s"$name: VALID was withdrawn before READY")
    assert(!owed || stream.payload === before, s"$name: the payload changed before READY")
  }

  def atMostOne(what: String, conditions: Bool*): Unit = atMostOne(what, Vec(conditions).asBits)

  def atMostOne(what: String, conditions: Bits): Unit = Checks {
    assert((conditions & (conditions.asUInt - 1).asBits) === 0, what)
  }
}
