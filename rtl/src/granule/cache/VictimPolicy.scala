package granule.cache

import spinal.core._
import spinal.lib._

/** A replacement policy as data: how many bits a set remembers, what a use does to them, and which
  * way they name as the victim. Ways are one-hot.
  */
sealed trait VictimPolicy {
  def stateBits: Int
  def use(state: Bits, way: Bits): Bits
  def victim(state: Bits): Bits
}

object VictimPolicy {
  def apply(replacement: Replacement, ways: Int): Option[VictimPolicy] = replacement match {
    case _ if ways == 1       => None
    case Replacement.Random   => None
    case Replacement.TrueLru  => Some(TrueLru(ways))
    case Replacement.TreePlru => Some(TreePlru(ways))
    case Replacement.Nru      => Some(Nru(ways))
  }
}

/** One bit for each pair i < j of ways: set when i was used after j. A use of i sets its pairs for
  * i; the way that lost all its pairs is the oldest. Exact, ways * (ways - 1) / 2 bits.
  */
case class TrueLru(ways: Int) extends VictimPolicy {
  private val pairs = for (i <- 0 until ways; j <- i + 1 until ways) yield (i, j)
  override def stateBits: Int = pairs.size

  override def use(state: Bits, way: Bits): Bits =
    pairs.zipWithIndex
      .map { case ((i, j), n) => way(i) || (state(n) && !way(j)) }
      .asBits()

  override def victim(state: Bits): Bits =
    (0 until ways)
      .map { w =>
        pairs.zipWithIndex.collect {
          case ((i, _), n) if i == w => !state(n)
          case ((_, j), n) if j == w => state(n)
        }.andR
      }
      .asBits()
}

/** A binary tree whose nodes point away from the half that was used last; ways - 1 bits. Node 1 is
  * the root, node n has the children 2n and 2n + 1, bit 0 of the state is the root.
  */
case class TreePlru(ways: Int) extends VictimPolicy {
  private val levels = log2Up(ways)
  override def stateBits: Int = ways - 1

  /** The nodes on the path to a way: (state bit, the way is in the upper half). */
  private def path(way: Int): Seq[(Int, Boolean)] =
    (0 until levels).map { l =>
      ((1 << l) + (way >> (levels - l)) - 1, ((way >> (levels - l - 1)) & 1) == 1)
    }

  override def use(state: Bits, way: Bits): Bits = {
    val next = CombInit(state)
    for (w <- 0 until ways; (bit, upper) <- path(w)) when(way(w)) { next(bit) := Bool(!upper) }
    next
  }

  override def victim(state: Bits): Bits =
    (0 until ways)
      .map(w => path(w).map { case (bit, upper) => if (upper) state(bit) else !state(bit) }.andR)
      .asBits()
}

/** One bit for each way, set by a use; when all would be set, only the last one stays. The victim
  * is the lowest way whose bit is clear.
  */
case class Nru(ways: Int) extends VictimPolicy {
  override def stateBits: Int = ways
  override def use(state: Bits, way: Bits): Bits = {
    val marked = state | way
    Mux(marked.andR, way, marked)
  }
  override def victim(state: Bits): Bits = OHMasking.first(~state)
}
