package granule.arch

import spinal.core._

/** Bits `lsb + width - 1 : lsb` of a descriptor or register. */
case class BitField(lsb: Int, width: Int = 1) {
  def of(word: Bits): Bits = word(lsb, width bits)
  def bool(word: Bits): Bool = {
    require(width == 1, s"field at bit $lsb has $width bits; use `of`")
    word(lsb)
  }

  /** The topmost bit: the sign of an address. */
  def msb(word: Bits): Bool = word(lsb + width - 1)

  def set(word: Bits, value: Bits): Unit = word(lsb, width bits) := value
  def set(word: Bits, value: Bool): Unit = {
    require(width == 1, s"field at bit $lsb has $width bits; give as many")
    word(lsb) := value
  }

  /** A constant with `value` in this field. */
  def holding(value: BigInt): BigInt = {
    require(value >= 0 && value < (BigInt(1) << width), s"$value does not fit into $width bits")
    value << lsb
  }

  /** The same field, counted from a bit of the register: in a word that begins there. */
  def from(bit: Int): BitField = copy(lsb = lsb - bit)

  /** As manuals write it. */
  def range: String = if (width == 1) s"$lsb" else s"${lsb + width - 1}:$lsb"
}

object BitField {

  /** A word of these fields, the topmost first, as wide as that reaches; what no field names is
    * zero.
    */
  def word(fields: (BitField, Data)*): Bits =
    word(fields.head._1.lsb + fields.head._1.width)(fields: _*)

  def word(width: Int)(fields: (BitField, Data)*): Bits = {
    val (pieces, lowest) = fields.foldLeft((Seq[Data](), width)) {
      case ((above, bottom), (field, value)) =>
        val gap = bottom - field.lsb - field.width
        require(gap >= 0, s"field ${field.range} is out of order: write the topmost first")
        require(
          widthOf(value) == field.width,
          s"a value of ${widthOf(value)} bits for field ${field.range}: resize it"
        )
        (above ++ zeros(gap) :+ value, field.lsb)
    }
    (pieces ++ zeros(lowest)).reduceLeft((high, low) => high ## low).asBits
  }

  private def zeros(width: Int): Seq[Bits] = if (width > 0) Seq(B(0, width bits)) else Nil
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
