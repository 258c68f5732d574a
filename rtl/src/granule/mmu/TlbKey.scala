package granule.mmu

import granule.arch.{SizeClasses, TableFormats}
import spinal.core._
import spinal.lib._

/** What is looked up in a TLB, and what an entry was installed for.
  *
  * @field tag      half and VA bits from the smallest page up.
  * @field identity number of the tables' system or format: entries of others do not match.
  */
case class TlbLookup(formats: TableFormats, identityBits: Int) extends Bundle {
  val tag = Bits(Translation.tagWidth(formats) bits)
  val asid = Bits(formats.config.asidBits bits)
  val identity = Bits(identityBits bits)
}

/** What an entry is found by: it leaves the tag bits inside its span open, and when `global` the
  * ASID too.
  *
  * @param spans the sizes that entries have.
  */
case class TlbKey(formats: TableFormats, spans: SizeClasses, identityBits: Int) extends Bundle {
  val of = TlbLookup(formats, identityBits)
  val span = Bits(spans.codeBits bits)
  val global = Bool()

  /** It is of this ASID, or of all, and of this identity. */
  def belongs(asid: Bits, identity: Bits): Bool =
    (of.asid === asid || global) && of.identity === identity

  /** The page `tag` lies in the span. */
  def holds(tag: Bits): Bool =
    of.tag.msb === tag.msb && spans.same(span, of.tag, tag, formats.pageShift, formats.vaBits)
}
