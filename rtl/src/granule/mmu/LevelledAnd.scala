package granule.mmu

import granule.arch.SizeClasses
import spinal.core._

/** A conjunction of many bits in levels of gates with four inputs, which the mapping keeps. It is
  * for what is known late: the mapping does not know that, and makes a tree as deep as the longest
  * of all paths where that saves a gate.
  *
  * {{{
  *   1  two bits of each word are the same
  *   2  so are up to eight bits, or lie inside of the size
  *   3  all is so, in as few gates as that takes
  * }}}
  */
object LevelledAnd {

  /** A bit that must be set, unless `inside` is. */
  case class Term(bit: Bool, inside: Option[Bool] = None) {
    def holds: Bool = inside.fold(bit)(bit || _)
  }

  private val inputs = 4

  private def kept(bit: Bool): Bool = CombInit(bit).addAttribute("keep")

  /** The terms of each gate of level 2: those with the same `inside` first, which is one input. */
  private def gates(terms: Seq[Term]): Seq[Seq[Term]] = {
    val (some, none) = terms.partition(_.inside.nonEmpty)
    val insides = some.flatMap(_.inside).distinct
    val begun = insides.flatMap(i => some.filter(_.inside.contains(i)).grouped(inputs - 1))
    val (full, left) = begun.foldLeft((Seq.empty[Seq[Term]], none)) { case ((full, left), gate) =>
      val (joins, others) = left.splitAt(inputs - 1 - gate.size)
      (full :+ (gate ++ joins), others)
    }
    full ++ left.grouped(inputs)
  }

  /** Each of these is a gate of level 3; the conjunction is that of all. */
  def apply(terms: Seq[Term]): Seq[Bool] =
    gates(terms)
      .map(gate => kept(gate.map(_.holds).reduce(_ && _)))
      .grouped(inputs)
      .map(_.reduce(_ && _))
      .toSeq

  /** Two words are equal, or there is an `inside`. */
  def equal(one: Bits, other: Bits, inside: Option[Bool] = None): Seq[Term] = {
    def pairs(of: Bits) = of.subdivideIn(2 bits, strict = false)
    pairs(one)
      .zip(pairs(other))
      .map { case (a, b) =>
        if (a.getWidth == 2) Term(kept(a === b), inside)
        else Term(kept((a === b) || inside.getOrElse(False))) // a gate has room for that
      }
      .toSeq
  }

  /** Two addresses, of which bits `from` up to `to` are given, lie in the same block of the size,
    * which is 2 to the `least` or more.
    */
  def same(
      spans: SizeClasses
  )(code: Bits, one: Bits, other: Bits, from: Int, to: Int, least: Int): Seq[Term] = {
    def above(of: Bits) = (of >> (least - from)).resize(to - least)
    spans
      .runs(code, above(one), above(other), least, to)
      .flatMap(run => equal(run.one, run.other, Some(run.inside)))
  }
}
