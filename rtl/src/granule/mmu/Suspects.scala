package granule.mmu

import granule.arch.TableFormats
import spinal.core._

/** The entries that an invalidation may cover, by a test of a few gates for each. A suspect does
  * not answer a lookup that the command is near; the sweep compares it exactly, and either it goes
  * or it answers again.
  *
  * {{{
  * kind              a suspect that matches waits
  * all               always
  * asid              if it is not global
  * va, vaAllAsids    if its `reach` around the address that is looked up has the command's
  * range...          if it is of the command's half
  * }}}
  *
  * The reach of an entry is the least of a few sizes that holds its table entry: what a TLB keeps
  * of that may be smaller, and goes with it.
  *
  * @field page the page of a VA, without its half.
  */
case class Suspects(formats: TableFormats) extends Bundle {
  val everything, byAsid, byVa, byRange, upper = Bool()
  val page = Bits(formats.vaBits - formats.pageShift bits)

  /** Of a lookup: for each reach, whether the command is as near as that. */
  def near(tag: Bits): Bits = {
    val sameHalf = tag.msb === upper
    val within = Suspects.reaches(formats).map { log2 =>
      val inside = log2 - formats.pageShift
      (tag.dropHigh(1) >> inside) === (page >> inside)
    }
    Vec((within :+ True).map(is => sameHalf && (byRange || byVa && is))).asBits
  }

  /** It must wait, if it is a suspect and matches: with `near` of the lookup. */
  def include(near: Bits, reach: Bits, global: Bool): Bool =
    everything || byAsid && !global || near.lsb || (near.dropLow(1) & reach).orR
}

object Suspects {

  /** The sizes: pages, and what most blocks and groups are no larger than. Above is a half. */
  def reaches(formats: TableFormats): Seq[Int] = (formats.granules.map(_.log2Bytes) :+ 25).sorted

  /** For each of these, whether a table entry of this span is larger. */
  def reach(span: Bits, formats: TableFormats): Bits =
    Vec(reaches(formats).map(formats.spans.inside(span, _))).asBits

  def reachBits(formats: TableFormats): Int = reaches(formats).size

  def of(scope: InvalidateScope): Suspects = {
    val formats = scope.formats
    val suspects = Suspects(formats)
    suspects.everything := scope.everything
    suspects.byAsid := scope.byAsid
    suspects.byVa := scope.byVa
    suspects.byRange := scope.byRange
    suspects.upper := scope.first.msb
    suspects.page := (scope.first >> (formats.pageShift - 12)).asBits.resize(suspects.page.getWidth)
    suspects
  }
}
