package granule.soc

import granule.config.{GranuleConfig, Region}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config, Apb3SlaveFactory}
import spinal.lib.misc.plic._

/** The library's interrupt controller for one hart behind APB3, with the registers that the RISC-V
  * PLIC specification 1.0.0 (chapter 3) and Linux's driver of `sifive,plic-1.0.0` know: priorities
  * at 0, pending at 0x1000, enables at 0x2000, threshold and claim at 0x200000.
  *
  * Context 0 is the hart's M-mode, context 1 its S-mode. Bit n of `lines` is interrupt n + 1, high
  * while its source wants something; after a completion the gateway looks at it again. Latency: a
  * line reaches `machine` or `supervisor` three cycles later. Addresses without a register read as
  * zero.
  */
case class Plic(interrupts: Int) extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(Plic.apbConfig))
    val lines = in(Bits(interrupts bits))
    val machine, supervisor = out(Bool())
  }
  private val gateways = io.lines.asBools.zipWithIndex.map { case (line, n) =>
    PlicGatewayActiveHigh(line, id = n + 1, priorityWidth = Plic.priorityBits)
  }
  private val contexts = Seq.tabulate(2)(PlicTarget(_, gateways, Plic.priorityBits))
  PlicMapper(Apb3SlaveFactory(io.apb), PlicMapping.sifive)(gateways, contexts)
  io.machine := contexts(0).iep
  io.supervisor := contexts(1).iep
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
