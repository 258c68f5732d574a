package granule.soc

import granule.cache.MemoryBus
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}
import spinal.lib.bus.amba4.axi._

/** AXI4 from the caches to memory, and from the data cache to the peripherals' APB3.
  *
  * {{{
  *   fetch ------+                      lines and single beats of instructions
  *   data -------+--> memory            lines
  *   uncached ---+
  *   device -----+                      of the DMA engine, if there is one
  *             +----> bridge --> apb    single beats of 32 bits
  * }}}
  *
  * Lines have a port of their own: a register may answer an uncached access only when caches or
  * walker have moved lines, and the library's decoder holds a master's writes to one slave while
  * its write to another one is not answered.
  *
  * Answers: DECERR for an address outside of memory and below no peripheral window (also for a
  * fetch or a line from a peripheral), SLVERR for a hole between peripherals, a register that says
  * so, or a write to a peripheral without all four strobes: APB3 has none, so there would be no
  * byte that stays. A narrow read is one of the word. Latency that is added to memory's
  * own: one cycle on each command, none on data. A transfer to a register
  * goes through an [[ApbSlice]].
  */
case class Interconnect(config: GranuleConfig) extends Component {
  private val masterConfig = MemoryBus.axiConfig(config.mmu.paWidth)
  val memoryConfig = Interconnect.memoryConfig(config)

  val io = new Bundle {
    val fetch = slave(Axi4ReadOnly(masterConfig))
    val data = slave(Axi4(masterConfig))
    val uncached = slave(Axi4(masterConfig))
    val device = config.dma.isDefined generate slave(Axi4(masterConfig))
    val lowmemBytes = in UInt (32 bits)
    val highmemBytes = in UInt (32 bits)
    val memory = master(Axi4(memoryConfig))
    val apb = master(Apb3(Interconnect.apbConfig))
  }

  private val decode = AddressDecode(config, io.lowmemBytes, io.highmemBytes)
  private val fetch = decode.widen(io.fetch)
  private val data = decode.widen(io.data)
  private val uncached = decode.widen(io.uncached)
  private val devices = if (config.dma.isDefined) Seq(decode.widen(io.device)) else Nil
  private val memory = Axi4(memoryConfig.copy(addressWidth = config.mmu.paWidth + 2))
  private val bridge = Axi4SharedToApb3Bridge(MemoryMap.apbAddressWidth, 32, masterConfig.idWidth)

  private val crossbar = Axi4CrossbarFactory()
  crossbar.addSlaves(
    memory -> decode.mapping(AddressDecode.memory),
    bridge.io.axi -> decode.mapping(AddressDecode.peripherals)
  )
  crossbar.addConnections(
    fetch -> Seq(memory),
    data -> Seq(memory),
    uncached -> Seq(memory, bridge.io.axi)
  )
  crossbar.addConnections(devices.map(_ -> Seq(memory)): _*)
  crossbar.build()
  memory >> io.memory

  // The registers are words; a read of a byte addresses the word that holds it.
  private val slice = ApbSlice(Interconnect.apbConfig)
  private val narrow = bridge.io.apb.PWRITE && !bridge.io.axi.w.strb.andR
  slice.io.above << bridge.io.apb
  slice.io.above.PSEL.removeAssignments()
  slice.io.above.PSEL := (bridge.io.apb.PSEL(0) && !narrow).asBits
  bridge.io.apb.PREADY.removeAssignments()
  bridge.io.apb.PREADY := slice.io.above.PREADY || narrow
  slice.io.above.PADDR.removeAssignments()
  slice.io.above.PADDR := bridge.io.apb.PADDR(MemoryMap.apbAddressWidth - 1 downto 2) @@ U"00"
  slice.io.below >> io.apb

  // The bridge answers one cycle after the access, when the slave's error is gone: keep it.
  private val accessed = bridge.io.apb.PSEL(0) && bridge.io.apb.PENABLE && bridge.io.apb.PREADY
  private val refused = slice.io.above.PSLVERROR || narrow
  bridge.io.apb.PSLVERROR.removeAssignments()
  bridge.io.apb.PSLVERROR := RegNextWhen(refused, accessed) init False
}

object Interconnect {
  val apbConfig = Apb3Config(addressWidth = MemoryMap.apbAddressWidth, dataWidth = 32)

  /** Towards memory: which requester it is stands above its ID. */
  def memoryConfig(config: GranuleConfig): Axi4Config = {
    val requester = MemoryBus.axiConfig(config.mmu.paWidth)
    requester.copy(idWidth = requester.idWidth + 2)
  }

  /** With the signal names of the AXI specification, as bus models of test benches want them. */
  def withAxiNames(config: GranuleConfig): Interconnect = {
    val unit = Interconnect(config)
    Axi4SpecRenamer(unit.io.fetch)
    Axi4SpecRenamer(unit.io.data)
    Axi4SpecRenamer(unit.io.uncached)
    if (config.dma.isDefined) Axi4SpecRenamer(unit.io.device)
    Axi4SpecRenamer(unit.io.memory)
    unit
  }
}
