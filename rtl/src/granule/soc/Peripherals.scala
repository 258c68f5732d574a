package granule.soc

import granule.cache.Region
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Decoder}
import spinal.lib.bus.misc.SizeMapping

/** Puts APB3 blocks at the places that the memory map gives them. A transfer to no block is
  * answered at once with a slave error.
  */
object Peripherals {
  def connect(config: GranuleConfig, bus: Apb3, blocks: Seq[(Region, Apb3)]): Unit = {
    val missing = MemoryMap.peripherals(config).diff(blocks.map(_._1))
    require(
      missing.isEmpty,
      s"peripherals without a block: ${missing.map(_.name).mkString(", ")}; " +
        "connect each region of MemoryMap.peripherals(config)"
    )
    Apb3Decoder(
      bus,
      blocks.map { case (region, port) =>
        port -> SizeMapping(region.base, region.size)
      }
    )
  }
}
