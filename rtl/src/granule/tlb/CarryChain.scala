package granule.tlb

import granule.format.SizeClasses
import spinal.core._

/** A conjunction of many bits as the carry of an adder, for what is known late: a tree of LUTs has
  * a wire between any two of its levels, and a carry has none.
  *
  * A link is passed by a carry if its bit is set. A `bypass` that is set makes a carry of its own,
  * whatever was before.
  */
object CarryChain {
  case class Link(bit: Bool, bypass: Boolean = false)

  /** In a place with a one, the adder has a carry if its bit is set or one comes in; in a place
    * with a zero, if its bit is set and one comes in. So the first place has a one.
    */
  def apply(links: Seq[Link]): Bool = {
    val ones = links.zipWithIndex.collect {
      case (link, i) if link.bypass || i == 0 => BigInt(1) << i
    }
    (Vec(links.map(_.bit)).asBits.asUInt +^ U(ones.sum, links.size bits)).msb
  }

  /** All are set. */
  def all(bits: Seq[Bool]): Seq[Link] = bits.map(Link(_))

  /** Two words are equal; a LUT compares two bits. */
  def equal(one: Bits, other: Bits): Seq[Link] = {
    def pairs(of: Bits) = of.subdivideIn(2 bits, strict = false)
    pairs(one).zip(pairs(other)).map { case (a, b) => Link(a === b) }.toSeq
  }

  /** For two chains side by side, whose carries are joined: each is short, and its wires are. A run
    * of bits stays with its bypass. As sizes are nested, a bypass of the second chain is one of the
    * first too.
    */
  def halves(links: Seq[Link]): (Seq[Link], Seq[Link]) = {
    val middle = links.size / 2
    val ends = links.lastIndexWhere(_.bypass, middle) + 1
    links.splitAt(if (ends > 0) ends else middle)
  }

  /** Two addresses lie in the same block of the size. These links come first. */
  def same(spans: SizeClasses)(code: Bits, one: Bits, other: Bits, from: Int, to: Int): Seq[Link] =
    spans
      .runs(code, one, other, from, to)
      .flatMap(run => equal(run.one, run.other) :+ Link(run.inside, bypass = true))
}
