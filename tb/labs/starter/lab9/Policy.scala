package granule.labs

import granule.cache.VictimPolicy
import spinal.core._
import spinal.lib._

/** Lab 9: which way of a set is replaced. Ways are one-hot: bit n is way n. A clear makes all bits
  * of the state 0.
  */
case class Policy(ways: Int) extends VictimPolicy {

  /** What a set remembers. */
  override def stateBits: Int = 1

  /** The state after a way was used. */
  override def use(state: Bits, way: Bits): Bits = state

  /** The way that is replaced next. */
  override def victim(state: Bits): Bits = B(2, ways bits)
}
