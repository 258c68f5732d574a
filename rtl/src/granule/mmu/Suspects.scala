package granule.mmu

import granule.arch.TableFormats
import spinal.core._

/** The entries that an invalidation may cover, by a test of a few gates for each. A suspect does
  * not answer; the sweep compares it exactly, and either it goes or it answers again.
  *
  * {{{
  * kind              suspects
  * all               every entry
  * asid              entries that are not global
  * va, vaAllAsids    entries of the same half whose low page bits are those of the address, or that
  *                   stand for part of a table entry only, which goes as a whole
  * range...          entries of the same half
  * }}}
  *
  * @field page the low page bits of a VA.
  */
case class Suspects(formats: TableFormats) extends Bundle {
  val everything, byAsid, byVa, byRange, upper = Bool()
  val page = Bits(Suspects.pageBits bits)

  /** Every entry that the scope covers has its key among them. */
  def include(key: TlbKey, part: Bool = False): Bool = {
    val from = formats.pageShift
    val near = key.spans.same(key.span, key.of.tag, page, from, from + Suspects.pageBits)
    everything || byAsid && !key.global ||
    (byRange || byVa && (near || part)) && key.of.tag.msb === upper
  }
}

object Suspects {

  /** Page bits that are compared: neighbours in an address space differ in them. */
  val pageBits = 8

  def of(scope: InvalidateScope): Suspects = {
    val suspects = Suspects(scope.formats)
    suspects.everything := scope.everything
    suspects.byAsid := scope.byAsid
    suspects.byVa := scope.byVa
    suspects.byRange := scope.byRange
    suspects.upper := scope.first.msb
    suspects.page := (scope.first >> (scope.formats.pageShift - 12)).asBits.resize(pageBits)
    suspects
  }
}
