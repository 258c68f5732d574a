package granule.soc

import granule.cache.{CacheIp, L2, StoreTrace}
import granule.cpu.{Counters, Cpu, PerfEvent, Retire}
import granule.device.{DeviceMmu, VirtualDma}
import granule.ip.MmuIp
import granule.mmu.WalkMemoryArbiter
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.com.uart.Uart

/** The whole system without its memory.
  *
  * {{{
  *        +-----+  fetch   +--------+ AXI4 +--------------+ AXI4
  *        | CPU |--------->| caches |----->| interconnect |-----> memory
  *        |     |  data    |        |----->|              |
  *        +-----+--------->|        |      +--------------+
  *      sfence |           +--------+             | APB3
  *      fault  |   translate |  ^ walk            +-- timer, PLIC, UART, MMU, cache, sysinfo,
  *             |             v  |                    finisher
  *             |           +--------+
  *             +---------->|  MMU   |
  *                         +--------+
  * }}}
  *
  * Between the interconnect and memory may be a level-2 cache ([[granule.cache.L2]]).
  *
  * A configuration with a DMA engine has it behind an MMU for devices, which walks through the data
  * cache as the CPU's MMU does; the engine's own accesses go from there to the interconnect, past
  * these caches. So software cleans and invalidates lines (docs/dma.md).
  *
  * `lowmemBytes` and `highmemBytes` are what the memory has behind its two windows; they must not
  * change after reset. `finished` is what software asked of the [[Finisher]]: what is around the
  * system powers it off or resets it. `stored`, `retire`, `events` and `uartBitCycles` are for test
  * benches and may stay open; by the last, the far end of the serial line follows software's choice
  * of its speed.
  */
case class Soc(config: GranuleConfig) extends Component {
  private val paWidth = config.mmu.paWidth

  private val cpu = Cpu(config.resetPc, config.mmu.sv32, config.mmu.pmpEntries)
  private val caches =
    CacheIp(config.icache, config.dcache, config.mmu, MemoryMap.physical(config), config.l2)
  private val mmu = MmuIp(config.mmu, devices = config.dma.isDefined)
  private val dma = config.dma.map(VirtualDma(_, DeviceMmu.tables(config.mmu)))
  private val interconnect = Interconnect(config)
  private val uart = SifiveUart()
  private val timer = Timer()
  private val plic = Plic(Plic.sources(config).size)
  private val finisher = Finisher()
  private val sysinfo = Sysinfo(config)

  val io = new Bundle {
    val memory = master(Axi4(interconnect.memoryConfig))
    val uart = master(Uart(rtsGen = true))
    val lowmemBytes = in UInt (32 bits)
    val highmemBytes = in UInt (32 bits)
    val stored = master(Flow(StoreTrace(paWidth)))
    val finished = new Bundle {
      val powerOff = out(Bool())
      val status = out(UInt(16 bits))
      val reset = out(Bool())
    }
    val retire = out(Retire())
    val events = out Bits (PerfEvent.all.size bits)
    val uartBitCycles = out(UInt(17 bits))
  }
  noIoPrefix()

  cpu.io.fetch <> caches.io.fetch
  cpu.io.data <> caches.io.data
  cpu.io.fenceI <> caches.io.fence
  cpu.io.sfence <> mmu.io.sfence
  cpu.io.fault >> mmu.io.fault
  mmu.io.satp := cpu.io.satp.resized
  if (config.mmu.pmp) mmu.io.pmp := cpu.io.pmp
  caches.io.fetchTranslate <> mmu.io.fetch
  caches.io.dataTranslate <> mmu.io.data
  dma match {
    case Some(unit) => WalkMemoryArbiter(Seq(mmu.io.walk, unit.io.walk), caches.io.walk)
    case None       => mmu.io.walk <> caches.io.walk
  }
  for (unit <- dma) {
    unit.io.context := mmu.io.context
    unit.io.invalidate <> mmu.io.invalidate
    if (config.mmu.pmp) unit.io.pmp := cpu.io.pmp
    // AxLOCK, AxCACHE, AxPROT and AxQOS end here: memory has no use for them.
    interconnect.io.device << unit.io.bus
  }

  interconnect.io.fetch << caches.io.fetchAxi
  interconnect.io.data << caches.io.dataAxi
  interconnect.io.uncached << caches.io.uncachedAxi
  private val l2 = config.l2.map(L2(_, interconnect.memoryConfig))
  for (cache <- l2) {
    cache.io.above << interconnect.io.memory
    caches.io.l2Error := cache.io.asyncError
  }
  // Flip-flops at the memory's pins, for timing on a board and for speed in simulation.
  l2.fold(interconnect.io.memory)(_.io.below)
    .pipelined(
      ar = StreamPipe.FULL,
      r = StreamPipe.M2S,
      aw = StreamPipe.FULL,
      w = StreamPipe.FULL,
      b = StreamPipe.M2S
    ) >> io.memory

  private val sizes = Seq(io.lowmemBytes, io.highmemBytes).map(RegNext(_))
  for (block <- Seq(interconnect.io.lowmemBytes, sysinfo.io.lowmemBytes)) block := sizes(0)
  for (block <- Seq(interconnect.io.highmemBytes, sysinfo.io.highmemBytes)) block := sizes(1)
  caches.io.vacancy.vacant := AddressDecode(config, sizes(0), sizes(1))
    .destination(caches.io.vacancy.pa) =/= AddressDecode.memory

  private val ofDma =
    dma.toSeq.flatMap(unit => Seq(MemoryMap.dma -> unit.io.dma, MemoryMap.bridge -> unit.io.apb))
  Peripherals.connect(
    config,
    interconnect.io.apb,
    Seq(
      MemoryMap.finisher -> finisher.io.apb,
      MemoryMap.timer -> timer.io.apb,
      MemoryMap.plic -> plic.io.apb,
      MemoryMap.uart -> uart.io.apb,
      MemoryMap.mmu -> mmu.io.apb,
      MemoryMap.cache -> caches.io.apb,
      MemoryMap.sysinfo -> sysinfo.io.apb
    ) ++ ofDma
  )

  uart.io.uart <> io.uart
  cpu.io.timerInterrupt := timer.io.timerInterrupt
  cpu.io.softwareInterrupt := timer.io.softwareInterrupt
  private val interrupts = Map(MemoryMap.uart -> uart.io.interrupt) ++ dma.toSeq.flatMap(unit =>
    Seq(MemoryMap.dma -> unit.io.dmaInterrupt, MemoryMap.bridge -> unit.io.interrupt)
  )
  plic.io.lines := B(Plic.sources(config).map(interrupts))
  cpu.io.machineExternalInterrupt := plic.io.machine
  cpu.io.supervisorExternalInterrupt := plic.io.supervisor
  cpu.io.mtime := timer.io.time
  cpu.io.waits.fetchTranslates := caches.io.fetchEvents.translates
  cpu.io.waits.fetchFills := caches.io.fetchEvents.fills
  cpu.io.waits.dataTranslates := caches.io.dataEvents.translates

  private val counters = Counters(PerfEvent.all.size)
  counters.io.port <> cpu.io.counters
  counters.io.retire := cpu.io.retired
  io.events := EventWires(
    cpu.io.privilege,
    caches.io.fetchEvents,
    caches.io.dataEvents,
    mmu.io.events
  )
  counters.io.event := EventWires.chosen(io.events, cpu.io.secondEvents, cpu.io.retire.stall)

  io.finished.powerOff := finisher.io.powerOff
  io.finished.status := finisher.io.status
  io.finished.reset := finisher.io.reset
  caches.io.stored >> io.stored
  io.retire := cpu.io.retire
  io.uartBitCycles := uart.io.bitCycles
}
