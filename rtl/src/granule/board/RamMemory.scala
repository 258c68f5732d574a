package granule.board

import granule.soc.GranuleConfig
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** The memory of a board without a controller for its memory chip: [[BootMemory]] and a small
  * lowmem in block RAM; no highmem.
  *
  * @param lowmemBytes size of lowmem. Requires: power of two, at least the boot memory's.
  */
case class RamMemory(
    config: GranuleConfig,
    axiConfig: Axi4Config,
    lowmemBytes: Int,
    boot: Seq[Int]
) extends Component {
  require(isPow2(lowmemBytes), s"lowmemBytes is $lowmemBytes; use a power of two")
  val io = slave(Axi4(axiConfig))

  private val bits = log2Up(lowmemBytes)
  private val bootMemory = new BootMemory(config, axiConfig, bits, boot)
  private val lowmem = bootMemory.ram(lowmemBytes)
  bootMemory.connect(io, lowmem.io.axi)(_.resize(bits))
}
