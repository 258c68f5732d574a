package granule.tlb

import granule.config.MmuConfig
import granule.format.DescriptorFormat
import granule.walk.{SpanMask, Translation}
import spinal.core._
import spinal.lib._

/** What an entry is found by: ASID above tag, and `care`, the bits of it that count. A page or
  * block leaves the tag bits inside its span open, a global entry the ASID. The bits of `care` that
  * belong to one span or to the ASID are all equal; synthesis keeps one flip-flop of each.
  */
case class TlbKey(config: MmuConfig, format: DescriptorFormat) extends Bundle {
  private val tagWidth = Translation.tagWidth(format)

  val value, care = Bits(tagWidth + config.asidBits bits)

  def tag: Bits     = value(tagWidth - 1 downto 0)
  def tagCare: Bits = care(tagWidth - 1 downto 0)
  def asid: Bits    = value(value.getWidth - 1 downto tagWidth)
  def global: Bool  = !care.msb

  /** Equal in every bit that counts both here and in `also`. */
  def matches(other: Bits, also: Bits): Bool = ((value ^ other) & care & also) === 0

  /** First and last smallest page of what the entry maps. */
  def firstPage: Bits = tag & tagCare
  def lastPage: Bits  = tag | ~tagCare
}

object TlbKey {
  def value(tag: Bits, asid: Bits): Bits = asid ## tag

  def care(span: Bits, global: Bool, config: MmuConfig, format: DescriptorFormat): Bits =
    Repeat(!global, config.asidBits) ## True ## ~SpanMask.expand(span, format, format.vaBits)

  def of(translation: Translation, config: MmuConfig, format: DescriptorFormat): TlbKey = {
    val key = TlbKey(config, format)
    key.value := value(translation.tag, translation.asid)
    key.care  := care(translation.mapping.span, translation.global, config, format)
    key
  }
}

/** What an entry that is about to be installed leaves open; nothing while not valid. It comes from
  * flip-flops, so that it costs the hit path no time.
  */
case class TlbProbe(format: DescriptorFormat) extends Bundle {
  val span   = Bits(format.spans.size - 1 bits)
  val global = Bool()
}
