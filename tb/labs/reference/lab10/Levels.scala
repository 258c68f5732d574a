package granule.labs

import spinal.core._
import spinal.lib._

/** Lab 10: where a walk begins, and which descriptor of a table it reads. Descriptors have 8 bytes.
  *
  * @param granule log2 of the bytes of a page: 12, 14 or 16.
  */
case class Levels(granule: Int) {
  private val stride = granule - 3
  private val most = 48

  /** The lowest address bit of an index. */
  private def lowest(level: Int) = granule + (3 - level) * stride

  /** The level at which a walk begins: bit n is level n. An address has 64 - `tnsz` bits. */
  def start(tnsz: UInt): Bits = (0 to 3)
    .map { level =>
      val reaches = tnsz < 64 - lowest(level)
      val higher = level > 0 && lowest(level - 1) < most
      reaches && (if (higher) !(tnsz < 64 - lowest(level - 1)) else True)
    }
    .asBits()

  /** How many bits of an address are the index into the first table. */
  def firstBits(tnsz: UInt): UInt = {
    val counts = (0 to 3).map(level => (U(64 - lowest(level), 6 bits) - tnsz).resize(4))
    MuxOH.or(start(tnsz), counts)
  }

  /** The index into a table of `level`. `va` has 48 bits. Of the first table, the bits that
    * `firstBits` leaves out do not count.
    */
  def index(va: Bits, level: Int): Bits = {
    val width = stride.min(most - lowest(level))
    if (width > 0) va(lowest(level), width bits).resize(stride) else B(0, stride bits)
  }
}
