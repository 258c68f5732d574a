package granule.walk

import granule.port.MemoryAttributes
import spinal.core._
import spinal.lib._

/** Meaning of a MAIR byte for an L1 cache (spec 1.4). Bytes without a meaning are Device when their
  * upper half is zero and Normal Non-cacheable otherwise, which is safe.
  */
object Attributes {
  private val normalWriteBack = 0xff

  def of(mair: Bits): MemoryAttributes = {
    val inner      = mair(3 downto 0)
    val attributes = MemoryAttributes()
    attributes.mair      := mair
    attributes.device    := mair(7 downto 4) === 0
    attributes.cacheable := !attributes.device && inner =/= 0 && inner =/= 4
    attributes
  }

  /** The byte of a leaf that has no such field. */
  def default: Bits = B(normalWriteBack, 8 bits)

  /** Shareability as PAR reports it: Device and Non-cacheable memory is Outer Shareable. */
  def shareability(attributes: MemoryAttributes, field: Bits): Bits = {
    val nonCacheable = Seq(0x44, 0x40).map(attributes.mair === _).orR // 0x40: with FEAT_XS
    (attributes.device || nonCacheable) ? B"10" | field
  }
}
