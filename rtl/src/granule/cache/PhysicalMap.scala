package granule.cache

import spinal.core._
import spinal.lib._

/** One window of the physical address space.
  *
  * @param memory True: Normal memory that may be cached; False: peripherals.
  */
case class Region(name: String, base: BigInt, size: BigInt, memory: Boolean, description: String) {
  require(
    size > 0 && (size & (size - 1)) == 0 && base % size == 0,
    f"region $name: base 0x$base%x must be a multiple of its size 0x$size%x, a power of two"
  )
  def contains(address: UInt): Bool =
    if (address.getWidth <= log2Up(size)) Bool(base == 0)
    else (address >> log2Up(size)) === (base >> log2Up(size))
}

/** The windows that exist; every other address is answered with an error. */
case class PhysicalMap(regions: Seq[Region]) {
  def isMemory(address: UInt): Bool = any(regions.filter(_.memory), address)
  def isMapped(address: UInt): Bool = any(regions, address)

  private def any(rs: Seq[Region], address: UInt): Bool =
    rs.filter(r => r.base < (BigInt(1) << address.getWidth)).map(_.contains(address)).orR
}
