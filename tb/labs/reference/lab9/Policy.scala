package granule.labs

import granule.cache.VictimPolicy
import spinal.core._
import spinal.lib._

/** Lab 9: which way of a set is replaced. Ways are one-hot: bit n is way n. A clear makes all bits
  * of the state 0.
  */
case class Policy(ways: Int) extends VictimPolicy {
  private val most = 5
  private val highest = false
  private val younger = false
  private val width = log2Up(most + 1)

  /** An age for each way. */
  override def stateBits: Int = ways * width

  private def agesOf(state: Bits) = state.subdivideIn(ways slices).map(_.asUInt)

  override def use(state: Bits, way: Bits): Bits = {
    val ages = agesOf(state)
    val used = MuxOH.or(way, ages)
    ages.zipWithIndex.map { case (age, i) =>
      val stays = age === most || (if (younger) age > used else False)
      (way(i) ? U(0, width bits) | (stays ? age | (age + 1))).asBits
    }.asBits()
  }

  override def victim(state: Bits): Bits = {
    val ages = agesOf(state)
    val oldest = Vec(ages.map(age => ages.map(age >= _).andR)).asBits
    if (highest) OHMasking.last(oldest) else OHMasking.first(oldest)
  }
}
