package granule.mmu

import granule.arch.MairByte
import spinal.core._
import spinal.lib._

/** Meaning of a MAIR byte for an L1 cache (spec 1.4). Bytes without a meaning are Device when their
  * upper half is zero and Normal Non-cacheable otherwise, which is safe.
  */
object Attributes {
  def of(mair: Bits): MemoryAttributes = {
    val inner = MairByte.inner.of(mair)
    val attributes = MemoryAttributes()
    attributes.mair := mair
    attributes.device := MairByte.outer.of(mair) === 0
    attributes.cacheable :=
      !attributes.device && inner =/= 0 && inner =/= MairByte.nonCacheableInner
    attributes
  }

  /** The byte of a leaf that has no such field. */
  def default: Bits = B(MairByte.writeBack, 8 bits)

  /** Shareability as PAR reports it: Device and Non-cacheable memory is Outer Shareable. */
  def shareability(attributes: MemoryAttributes, field: Bits): Bits = {
    val nonCacheable =
      Seq(MairByte.nonCacheable, MairByte.nonCacheableXs).map(attributes.mair === _).orR
    (attributes.device || nonCacheable) ? B"10" | field
  }
}
