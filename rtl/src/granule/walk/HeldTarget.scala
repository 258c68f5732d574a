package granule.walk

import granule.format.TableFormats
import spinal.core._

/** Where an entry points to, or the register that holds the first table, with what an address says
  * by itself. It is worked out while the address arrives, so that the next cycle, which decides
  * what becomes of the walk, finds it in registers.
  *
  * @field field        the address; bits inside the page are whatever the entry has there.
  * @field tableTooWide a table there is outside of the output size (spec 2.4), or bits are set that
  *                     must be zero (spec 4.2); `leafTooWide`: the same of a leaf. All of a table
  *                     of 64-bit descriptors is where its first byte is; of others, the walker
  *                     looks at the address that it reads.
  */
case class HeldTarget(formats: TableFormats) extends Bundle {
  val field = Bits(formats.addressBits bits)
  val tableTooWide, leafTooWide = Bool()
}

object HeldTarget {

  /** @param leafSpan what it maps if it is a leaf.
    * @param above    ones in the bits at or above the output size.
    */
  def of(
      field: Bits,
      zeroBitsSet: Bool,
      va: Bits,
      leafSpan: Bits,
      above: Bits,
      formats: TableFormats
  ): HeldTarget = {
    val target = HeldTarget(formats)
    target.field := field
    target.tableTooWide := zeroBitsSet || (field & above).orR
    target.leafTooWide := zeroBitsSet || (output(field, va, leafSpan, formats) & above).orR
    target
  }

  /** Where the VA is in a leaf. */
  def output(field: Bits, va: Bits, leafSpan: Bits, formats: TableFormats): Bits = {
    val inLeaf = formats.spans.mask(leafSpan, 0, formats.addressBits)
    (field & ~inLeaf) | (va.resize(formats.addressBits) & inLeaf)
  }
}
