package granule.labs

import spinal.core._
import spinal.lib._

/** Lab 10: where a walk begins, and which descriptor of a table it reads. Descriptors have 8 bytes.
  *
  * @param granule log2 of the bytes of a page: 12, 14 or 16.
  */
case class Levels(granule: Int) {

  /** The level at which a walk begins: bit n is level n. An address has 64 - `tnsz` bits. */
  def start(tnsz: UInt): Bits = B"0010"

  /** How many bits of an address are the index into the first table. */
  def firstBits(tnsz: UInt): UInt = U(9)

  /** The index into a table of `level`. `va` has 48 bits. Of the first table, the bits that
    * `firstBits` leaves out do not count.
    */
  def index(va: Bits, level: Int): Bits =
    level match {
      case 1 => va(38 downto 30)
      case 2 => va(29 downto 21)
      case 3 => va(20 downto 12)
      case _ => B(0, 9 bits)
    }
}
