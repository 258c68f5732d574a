package granule.soc

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}
import spinal.lib.bus.misc.SizeMapping
import spinal.lib.bus.regif._

/** What software needs to know before it knows anything: memory sizes, clock, configuration. All
  * registers are read only: writes do nothing. A read of an address without a register answers with
  * a slave error.
  */
case class Sysinfo(config: GranuleConfig) extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(Sysinfo.apbConfig))
    val lowmemBytes = in UInt (32 bits)
    val highmemBytes = in UInt (32 bits)
  }
  require(
    config.name.length <= Sysinfo.nameBytes,
    s"configuration name '${config.name}' has ${config.name.length} characters; " +
      s"SYSINFO holds ${Sysinfo.nameBytes}"
  )

  val bus = BusInterface(io.apb, SizeMapping(0, MemoryMap.sysinfo.size), 0, "")
  bus.setReservedAddressErrorState(true)

  private def register(at: Int, name: String, doc: String)(value: Bits): Unit =
    bus
      .newRegAt(at, doc)(SymbolName(name))
      .field(Bits(32 bits), AccessType.RO, doc)(SymbolName("value")) := value

  private def nameWord(word: Int): Bits = {
    val bytes = config.name.padTo(Sysinfo.nameBytes, '\u0000').slice(4 * word, 4 * word + 4)
    B(bytes.zipWithIndex.map { case (c, i) => BigInt(c.toInt) << (8 * i) }.sum, 32 bits)
  }

  register(0x00, "magic", "the characters GRNL")(B(Sysinfo.magic, 32 bits))
  register(0x04, "version", "version of this block")(B(1, 32 bits))
  register(0x08, "lowmem_bytes", "memory behind the lowmem window")(io.lowmemBytes.asBits)
  register(0x0c, "highmem_bytes", "memory behind the highmem window")(io.highmemBytes.asBits)
  register(0x10, "clock_hz", "clock of CPU, timer and UART")(B(config.clockHz, 32 bits))
  private val flags = Seq(config.simulation, config.dma.isDefined, config.mmu.posts)
  register(0x14, "flags", "bit 0: simulation, bit 1: DMA engine, bit 2: TLBIs can be posted")(
    B(flags.zipWithIndex.map { case (set, i) => if (set) 1 << i else 0 }.sum, 32 bits)
  )
  for (word <- 0 until Sysinfo.nameBytes / 4)
    register(0x20 + 4 * word, s"name$word", "configuration name, ASCII")(nameWord(word))
}

object Sysinfo {
  val magic = 0x4c4e5247
  val nameBytes = 16
  val apbConfig = Apb3Config(addressWidth = 12, dataWidth = 32)
}
