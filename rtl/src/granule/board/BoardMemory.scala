package granule.board

import granule.soc.{GranuleConfig, MemoryMap}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.memory.sdram.sdr._

/** The memory of a board with an SDRAM: [[BootMemory]], and both windows in the one chip.
  *
  * The chip holds lowmem from its address 0 and highmem above it. The split is counted in eighths
  * of the chip and must not change after reset: `highmemEighths` 0 to 4 are highmem.
  */
case class BoardMemory(
    config: GranuleConfig,
    axiConfig: Axi4Config,
    part: SdramPart,
    boot: Seq[Int]
) extends Component {
  val io = new Bundle {
    val axi = slave(Axi4(axiConfig))
    val sdram = master(SdramInterface(part.layout))
    val highmemEighths = in UInt (3 bits)
    val lowmemBytes = out UInt (32 bits)
    val highmemBytes = out UInt (32 bits)
  }
  private val chipBits = part.layout.byteAddressWidth

  private val eighth = part.layout.capacity >> 3
  private def bytes(eighths: UInt): UInt =
    (eighths @@ U(0, log2Up(eighth) bits)).resize(32)
  private val lowmemEighths = U(8, 4 bits) - io.highmemEighths
  io.lowmemBytes := bytes(lowmemEighths)
  io.highmemBytes := bytes(io.highmemEighths)

  private val controller = Axi4SharedSdramCtrl(
    axiDataWidth = 32,
    axiIdWidth = axiConfig.idWidth,
    layout = part.layout,
    timing = part.timing,
    CAS = part.cas
  )
  new BootMemory(config, axiConfig, chipBits, boot).connect(io.axi, controller.io.axi) { address =>
    val highmem = Bool(config.mmu.paWidth > 32) && MemoryMap.highmem.contains(address)
    val chip = UInt(chipBits bits)
    chip := address.resized
    when(highmem) {
      chip(chipBits - 3, 3 bits) := address(chipBits - 3, 3 bits) + lowmemEighths.resize(3)
    }
    chip
  }
  io.sdram <> controller.io.sdram
}
