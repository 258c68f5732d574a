package granule.arch

import spinal.core._
import spinal.lib._

/** What files agree on, said where a simulation can see it. A check that fails ends the simulation
  * with its text. Checks and [[CoverPoint]]s are in Verilog for tests of units only: they cost no
  * gate, so they may compare and remember as much as they like.
  */
object Checks {
  def apply(block: => Unit): Unit = if (GenerationFlags.simulation.isEnabled) block

  private var watchers = List.empty[PartialFunction[Component, Unit]]

  /** Checks that are larger than what they look at stand in a room of their own: whoever generates
    * Verilog with checks names them here, and each component of their kind calls `end` at its end.
    */
  def watch(watcher: PartialFunction[Component, Unit]): Unit = watchers :+= watcher
  def end(component: Component): Unit = Checks { watchers.foreach(_.lift(component)) }

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

/** A situation that the tests of units must bring about. The first cycle in which a unit is in it
  * prints `cover: NAME`; `make cover-points` says which tests did that.
  */
case class CoverPoint(name: String, description: String)

object CoverPoint {

  /** The unit is at the point `name` in this cycle. */
  def apply(name: String)(here: => Bool): Unit = Checks {
    val seen = RegInit(False)
    when(here && !seen) {
      seen := True
      report(s"cover: $name")
    }
  }
}
