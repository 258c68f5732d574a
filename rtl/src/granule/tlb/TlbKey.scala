package granule.tlb

import granule.format.{Formats, Spans}
import granule.walk.Translation
import spinal.core._
import spinal.lib._

/** What an entry is found by: space above ASID above tag, and `care`, the bits of it that count. An
  * entry leaves the tag bits inside its span open, a global one the ASID. The bits of `care` that
  * belong to one span or to the ASID are all equal; synthesis keeps one flip-flop of each.
  *
  * @param spaceBits bits that must always be equal.
  */
case class TlbKey(formats: Formats, spaceBits: Int) extends Bundle {
  private val tagWidth  = Translation.tagWidth(formats)
  private val asidWidth = formats.config.asidBits

  val value, care = Bits(tagWidth + asidWidth + spaceBits bits)

  def tag: Bits     = value(tagWidth - 1 downto 0)
  def tagCare: Bits = care(tagWidth - 1 downto 0)
  def asid: Bits    = value(tagWidth, asidWidth bits)
  def global: Bool  = !care(tagWidth)

  /** Equal in every bit that counts both here and in `also`. */
  def matches(other: Bits, also: Bits): Bool = ((value ^ other) & care & also) === 0

  /** First and last smallest page of what the entry maps. */
  def firstPage: Bits = tag & tagCare
  def lastPage: Bits  = tag | ~tagCare
}

object TlbKey {
  def value(tag: Bits, asid: Bits, space: Bits): Bits = space ## asid ## tag

  def care(span: Bits, spans: Spans, global: Bool, spaceBits: Int, formats: Formats): Bits =
    B(spaceBits bits, default -> True) ## Repeat(!global, formats.config.asidBits) ## True ##
      ~spans.mask(span, formats.pageShift, formats.vaBits)
}
