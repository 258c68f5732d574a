package granule.cache

import spinal.core._
import spinal.lib._

/** Asks what the map does not know: how much memory a window has. `vacant` answers `pa`, an address
  * of memory by the map, in the same cycle: none is there.
  */
case class VacancyPort(paWidth: Int) extends Bundle with IMasterSlave {
  val pa = UInt(paWidth bits)
  val vacant = Bool()

  override def asMaster(): Unit = {
    out(pa)
    in(vacant)
  }
}
