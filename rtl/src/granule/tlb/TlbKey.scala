package granule.tlb

import granule.format.{Formats, Spans}
import granule.walk.Translation
import spinal.core._
import spinal.lib._

/** What an entry leaves open when it is compared: nothing while all is zero. */
case class TlbProbe(spans: Spans) extends Bundle {
  val span   = Bits(spans.codeBits bits)
  val global = Bool()
}

/** What an entry is found by: space above ASID above tag. It leaves the tag bits inside its span
  * open, and when `global` the ASID too.
  *
  * @param spans     the sizes that entries have.
  * @param spaceBits bits that must always be equal.
  */
case class TlbKey(formats: Formats, spans: Spans, spaceBits: Int) extends Bundle {
  private val tagWidth  = Translation.tagWidth(formats)
  private val asidWidth = formats.config.asidBits

  val value = Bits(tagWidth + asidWidth + spaceBits bits)
  val open  = TlbProbe(spans)

  def tag: Bits    = value(tagWidth - 1 downto 0)
  def asid: Bits   = value(tagWidth, asidWidth bits)
  def global: Bool = open.global

  /** First and last smallest page of what the entry maps. */
  def firstPage: Bits = tag & ~inside(open)
  def lastPage: Bits  = tag | inside(open)

  /** Equal in every bit that neither this leaves open nor `also`. */
  def matches(other: Bits, also: TlbProbe): Bool =
    ((value ^ other) & ~ignored(open) & ~ignored(also)) === 0

  /** The page `other` lies in the span. */
  def holds(other: Bits): Bool = ((tag ^ other) & ~inside(open)) === 0

  /** Tag bits inside the span: one bit of its code each. */
  private def inside(open: TlbProbe): Bits =
    spans.mask(open.span, formats.pageShift, formats.vaBits).resize(tagWidth)

  private def ignored(open: TlbProbe): Bits =
    (Repeat(open.global, asidWidth) ## inside(open)).resize(value.getWidth)
}

object TlbKey {
  def value(tag: Bits, asid: Bits, space: Bits): Bits = space ## asid ## tag
}
