package granule.soc

import granule.cache.CacheIp
import granule.config.GranuleConfig
import granule.cpu.{Cpu, Retire}
import granule.mmu.MmuIp
import granule.pmu.Counters
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4
import spinal.lib.com.uart._

/** The whole system without its memory.
  *
  * {{{
  *        +-----+  fetch   +--------+ AXI4 +--------------+ AXI4
  *        | CPU |--------->| caches |----->| interconnect |-----> memory
  *        |     |  data    |        |----->|              |
  *        +-----+--------->|        |      +--------------+
  *      sfence |           +--------+             | APB3
  *      fault  |   translate |  ^ walk            +-- timer, UART, MMU, cache, sysinfo
  *             |             v  |
  *             |           +--------+
  *             +---------->|  MMU   |
  *                         +--------+
  * }}}
  *
  * `lowmemBytes` and `highmemBytes` are what the memory has behind its two windows; they must not
  * change after reset. `stored` and `retire` are for test benches and may stay open.
  */
case class Soc(config: GranuleConfig) extends Component {
  private val paWidth = config.mmu.paWidth

  private val cpu = Cpu(config.resetPc, config.mmu.sv32)
  private val caches = CacheIp(config, MemoryMap.physical(config))
  private val mmu = MmuIp(config.mmu)
  private val interconnect = Interconnect(config)
  private val uart = Apb3UartCtrl(Soc.uartConfig)
  private val timer = Timer()
  private val sysinfo = Sysinfo(config)

  val io = new Bundle {
    val memory = master(Axi4(interconnect.memoryConfig))
    val uart = master(Uart(rtsGen = true))
    val lowmemBytes = in UInt (32 bits)
    val highmemBytes = in UInt (32 bits)
    val stored = master(Flow(StoreTrace(paWidth)))
    val retire = out(Retire())
  }
  noIoPrefix()

  cpu.io.fetch <> caches.io.fetch
  cpu.io.data <> caches.io.data
  cpu.io.fenceI <> caches.io.fence
  cpu.io.sfence <> mmu.io.sfence
  cpu.io.fault >> mmu.io.fault
  mmu.io.satp := cpu.io.satp.resized
  caches.io.fetchTranslate <> mmu.io.fetch
  caches.io.dataTranslate <> mmu.io.data
  mmu.io.walk <> caches.io.walk

  interconnect.io.fetch << caches.io.fetchAxi
  interconnect.io.data << caches.io.dataAxi
  interconnect.io.uncached << caches.io.uncachedAxi
  // Flip-flops at the memory's pins, for timing on a board and for speed in simulation.
  interconnect.io.memory.pipelined(
    ar = StreamPipe.FULL,
    r = StreamPipe.M2S,
    aw = StreamPipe.FULL,
    w = StreamPipe.FULL,
    b = StreamPipe.M2S
  ) >> io.memory

  private val sizes = Seq(io.lowmemBytes, io.highmemBytes).map(RegNext(_))
  for (block <- Seq(interconnect.io.lowmemBytes, sysinfo.io.lowmemBytes)) block := sizes(0)
  for (block <- Seq(interconnect.io.highmemBytes, sysinfo.io.highmemBytes)) block := sizes(1)

  Peripherals.connect(
    interconnect.io.apb,
    MemoryMap.timer -> timer.io.apb,
    MemoryMap.uart -> uart.io.apb,
    MemoryMap.mmu -> mmu.io.apb,
    MemoryMap.cache -> caches.io.apb,
    MemoryMap.sysinfo -> sysinfo.io.apb
  )

  uart.io.uart <> io.uart
  cpu.io.timerInterrupt := timer.io.timerInterrupt
  cpu.io.softwareInterrupt := timer.io.softwareInterrupt
  cpu.io.externalInterrupt := uart.io.interrupt
  cpu.io.mtime := timer.io.time
  cpu.io.waits.fetchTranslates := caches.io.fetchEvents.translates
  cpu.io.waits.fetchFills := caches.io.fetchEvents.fills
  cpu.io.waits.dataTranslates := caches.io.dataEvents.translates

  private val counters = Counters(PerfEvent.all.size)
  counters.io.port <> cpu.io.counters
  counters.io.retire := cpu.io.retired
  counters.io.event := EventWires(
    cpu.io.secondEvents,
    cpu.io.retire.stall,
    cpu.io.privilege,
    caches.io.fetchEvents,
    caches.io.dataEvents,
    mmu.io.events
  )

  caches.io.stored >> io.stored
  io.retire := cpu.io.retire
}

object Soc {

  /** Software sets the divisor; the reset value 0 (8 cycles a bit) is the simulator's. */
  val uartConfig: UartCtrlMemoryMappedConfig = UartCtrlMemoryMappedConfig(
    uartCtrlConfig = UartCtrlGenerics(clockDividerWidth = 20, rtsGen = true),
    initConfig = UartCtrlInitConfig(
      dataLength = 7, // 8 bits
      parity = UartParityType.NONE,
      stop = UartStopType.ONE
    ),
    txFifoDepth = 16,
    rxFifoDepth = 16
  )
}
