package granule.device

import granule.arch.Checks
import spinal.core._
import spinal.lib._

/** How much of something is left: a place is taken before it is known whether it is needed, and
  * given back when it is not, or not any more.
  *
  * The count begins with one less than twice `total`, a power of two: so its upper bit is set while
  * something is left.
  */
case class Credit(total: Int) extends Area {
  private[granule] val left = Reg(UInt(log2Up(total) + 1 bits)) init 2 * total - 1
  val any = left.msb

  /** What happens in each cycle; called once. */
  def follow(takes: Bool, gives: Bool*): Unit = {
    val back = if (gives.size == 1) gives.head.asUInt else CountOne(gives)
    left := left - takes.asUInt.resize(left.getWidth) + back.resize(left.getWidth)
    Checks(assert(!takes || any, "bridge: a place is taken that is not there"))
    Checks(assert(left >= total - 1, "bridge: more is given back than was taken"))
  }
}
