package granule.walk

import granule.port.MemoryAttributes
import spinal.core._

/** Meaning of a MAIR byte for an L1 cache (spec 1.4). Bytes without a meaning are Device when their
  * upper half is zero and Normal Non-cacheable otherwise, which is safe.
  */
object Attributes {
  def of(mair: Bits): MemoryAttributes = {
    val inner      = mair(3 downto 0)
    val attributes = MemoryAttributes()
    attributes.mair      := mair
    attributes.device    := mair(7 downto 4) === 0
    attributes.cacheable := !attributes.device && inner =/= 0 && inner =/= 4
    attributes
  }
}
