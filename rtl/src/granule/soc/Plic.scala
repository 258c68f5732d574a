package granule.soc

import granule.cache.Region
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config, Apb3SlaveFactory}

/** Interrupt controller for one hart behind APB3 (RISC-V PLIC specification 1.0.0; Linux's driver
  * of `sifive,plic-1.0.0`).
  * {{{
  *   000000 + 4 n       priority of source n; 0: it never interrupts
  *   001000             pending, a bit a source
  *   002000 + 80 c      enables of context c; 0 is the hart's M-mode, 1 its S-mode
  *   200000 + 1000 c    threshold: a priority above it interrupts; a claim does not ask for it
  *   200004 + 1000 c    read: claims the enabled source of the highest priority, of equal ones the
  *                      lowest number; 0: none. write: completes, if the word is the number of a
  *                      source that is enabled here
  * }}}
  * Bit n of `lines` is source n + 1, high while it wants something. It is pending until it is
  * claimed, and is looked at again after its completion. Latency: a line reaches `machine` or
  * `supervisor` two cycles later. Addresses without a register read as zero.
  */
case class Plic(interrupts: Int) extends Component {
  require(interrupts >= 1 && interrupts <= 31, s"$interrupts interrupts; one word holds 1 to 31")

  val io = new Bundle {
    val apb = slave(Apb3(Plic.apbConfig))
    val lines = in(Bits(interrupts bits))
    val machine, supervisor = out(Bool())
  }
  private val bus = Apb3SlaveFactory(io.apb)
  private def priorityType() = UInt(Plic.priorityBits bits)

  private case class Source(number: Int, line: Bool) extends Area {
    val priority = bus.createReadAndWrite(priorityType(), 4 * number) init 0
    val pending = RegInit(False)
    val asked = RegInit(False) // and is not completed
    when(line && !asked) {
      pending := True
      asked := True
    }
    bus.read(pending, 0x1000, number)
  }
  private val sources = io.lines.asBools.zipWithIndex.map { case (line, n) => Source(n + 1, line) }

  private case class Candidate() extends Bundle {
    val priority = priorityType()
    val number = UInt(log2Up(interrupts + 1) bits)
  }
  private def candidate(priority: UInt, number: Int) = {
    val c = Candidate()
    c.priority := priority
    c.number := number
    c
  }

  private case class Context(index: Int) extends Area {
    val enables = sources.map(source =>
      bus.createReadAndWrite(Bool(), 0x2000 + 0x80 * index, source.number) init False
    )
    val threshold = bus.createReadAndWrite(priorityType(), 0x200000 + 0x1000 * index) init 0
    val wanted = sources.zip(enables).map { case (source, enabled) =>
      candidate(source.priority.andMask(source.pending && enabled), source.number)
    }
    val best = RegNext(
      (candidate(U(0, Plic.priorityBits bits), 0) +: wanted).reduceBalancedTree((a, b) =>
        Mux(b.priority > a.priority, b, a)
      )
    )
    best.priority init 0
    best.number init 0
    val interrupt = best.priority > threshold

    private val claim = 0x200004 + 0x1000 * index
    bus.read(best.number, claim)
    for ((source, enabled) <- sources.zip(enables)) {
      bus.onRead(claim) { when(best.number === source.number) { source.pending := False } }
      bus.onWrite(claim) {
        when(io.apb.PWDATA === source.number && enabled) { source.asked := False }
      }
    }
  }
  private val contexts = Seq.tabulate(2)(Context(_))
  io.machine := contexts(0).interrupt
  io.supervisor := contexts(1).interrupt
}

object Plic {
  val apbConfig = Apb3Config(addressWidth = 22, dataWidth = 32, useSlaveError = false)
  val priorityBits = 3

  /** Who interrupts, in the order of the numbers, which begin with 1. */
  val sources: Seq[Region] = Seq(MemoryMap.uart, MemoryMap.dma, MemoryMap.bridge)
  def sources(config: GranuleConfig): Seq[Region] =
    sources.filter(MemoryMap.peripherals(config).contains)

  def number(source: Region): Int = sources.indexOf(source) + 1
}
