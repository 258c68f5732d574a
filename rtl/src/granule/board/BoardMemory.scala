package granule.board

import granule.config.GranuleConfig
import granule.soc.MemoryMap
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.bus.misc.SizeMapping
import spinal.lib.memory.sdram.sdr._

/** The memory of a board behind the system's AXI4: boot memory and one SDRAM for both windows.
  *
  * {{{
  *   axi -> one command channel -> window to chip address -+-> boot memory (block RAM)
  *                                                         +-> SDRAM controller -> chip
  * }}}
  *
  * The chip holds lowmem from its address 0 and highmem above it. The split is counted in eighths
  * of the chip and must not change after reset: `highmemEighths` 0 to 4 are highmem.
  *
  * Latency: one cycle for the command, then the slave's. Bursts of both kinds are served; answers
  * come in order.
  */
case class BoardMemory(
    config: GranuleConfig,
    axiConfig: Axi4Config,
    part: SdramPart,
    boot: Seq[Int]
) extends Component {
  val io = new Bundle {
    val axi            = slave(Axi4(axiConfig))
    val sdram          = master(SdramInterface(part.layout))
    val highmemEighths = in UInt (3 bits)
    val lowmemBytes    = out UInt (32 bits)
    val highmemBytes   = out UInt (32 bits)
  }
  private val chipBits = part.layout.byteAddressWidth

  private val eighth = part.layout.capacity >> 3
  private def bytes(eighths: UInt): UInt =
    (eighths @@ U(0, log2Up(eighth) bits)).resize(32)
  private val lowmemEighths = U(8, 4 bits) - io.highmemEighths
  io.lowmemBytes  := bytes(lowmemEighths)
  io.highmemBytes := bytes(io.highmemEighths)

  // One bit above the chip's address tells the boot memory from the chip.
  private val flatConfig = axiConfig.copy(addressWidth = chipBits + 1)
  private val shared     = io.axi.toShared()
  private val flat       = Axi4Shared(flatConfig)
  private val mapped = shared.arw.map { command =>
    val next    = Axi4Arw(flatConfig)
    val isBoot  = MemoryMap.boot.contains(command.addr)
    val highmem = Bool(config.mmu.paWidth > 32) && MemoryMap.highmem.contains(command.addr)
    val chip    = UInt(chipBits bits)
    chip := command.addr.resized
    when(highmem) {
      chip(chipBits - 3, 3 bits) :=
        command.addr(chipBits - 3, 3 bits) + lowmemEighths.resize(3)
    }
    next.assignSomeByName(command)
    next.addr.removeAssignments()
    next.addr := isBoot.asUInt @@ chip
    next
  }
  flat.arw << mapped.halfPipe()
  flat.w << shared.w
  flat.b >> shared.b
  flat.r >> shared.r

  private val decoder = Axi4SharedDecoder(
    flatConfig,
    readDecodings = Nil,
    writeDecodings = Nil,
    sharedDecodings = Seq(
      SizeMapping(0, part.layout.capacity),
      SizeMapping(part.layout.capacity, part.layout.capacity)
    )
  )
  decoder.io.input << flat

  private val controller = Axi4SharedSdramCtrl(
    axiDataWidth = 32,
    axiIdWidth = axiConfig.idWidth,
    layout = part.layout,
    timing = part.timing,
    CAS = part.cas
  )
  private val bootRam =
    Axi4SharedOnChipRam(32, config.bootBytes, axiConfig.idWidth, arwStage = true)
  require(
    boot.size * 4 <= config.bootBytes,
    s"the boot image has ${boot.size * 4} bytes, bootBytes is ${config.bootBytes}: enlarge it"
  )
  bootRam.ram.initBigInt(
    boot.padTo(config.bootBytes / 4, 0).map(word => BigInt(word & 0xffffffffL))
  )

  for ((slave, output) <- Seq(controller.io.axi, bootRam.io.axi).zip(decoder.io.sharedOutputs)) {
    slave.arw.arbitrationFrom(output.arw)
    slave.arw.payload.assignSomeByName(output.arw.payload)
    slave.arw.addr.removeAssignments()
    slave.arw.addr := output.arw.addr.resized
    slave.w << output.w
    slave.b >> output.b
    slave.r >> output.r
  }
  io.sdram <> controller.io.sdram
}
