package granule.port

import spinal.core._

/** A situation that the tests of units must bring about. The first cycle in which a unit is in it
  * prints `cover: NAME`; `make cover-points` says which tests did that.
  */
case class CoverPoint(name: String, description: String)

object CoverPoint {

  /** The unit is at the point `name` in this cycle. */
  def apply(name: String)(here: => Bool): Unit = Checks {
    require(CoverPoints.all.exists(_.name == name), s"'$name' is not in CoverPoints.all")
    val seen = RegInit(False)
    when(here && !seen) {
      seen := True
      report(s"cover: $name")
    }
  }
}
