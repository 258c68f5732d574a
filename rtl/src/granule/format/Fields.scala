package granule.format

import spinal.core._

/** Bits `lsb + width - 1 : lsb` of a descriptor or register. */
case class BitField(lsb: Int, width: Int = 1) {
  def of(word: Bits): Bits = word(lsb, width bits)
  def bool(word: Bits): Bool = {
    require(width == 1, s"field at bit $lsb has $width bits; use `of`")
    word(lsb)
  }
}

/** An address in pieces: each field goes to an address bit; bits without a piece are zero. */
case class AddressField(pieces: (BitField, Int)*) {
  val width: Int = pieces.map { case (field, to) => to + field.width }.max

  /** The bit of the word that holds an address bit; None: the address bit is zero. */
  def source(bit: Int): Option[Int] = pieces.collectFirst {
    case (field, to) if bit >= to && bit < to + field.width => field.lsb + bit - to
  }

  def of(word: Bits, width: Int): Bits = {
    val address = B(0, width bits)
    for ((field, to) <- pieces if to < width)
      address(to, field.width.min(width - to) bits) := field.of(word).resized
    address
  }
}
