package granule.device

import granule.arch.{MmuContext, Sctlr, Tcr}
import spinal.core._

/** What becomes of a stream's addresses. */
object StreamMode extends SpinalEnum(binarySequential) {

  /** `off`: every transaction faults. `bypass`: output is input. `vmsa`: the root is TTBR0.
    * `riscv`: the root is satp, whose MODE must not be Bare.
    */
  val off, bypass, vmsa, riscv = newElement()
}

/** The root register of a stream's address space, as a walk needs it. All other registers are those
  * of the MMU.
  *
  * @field root  TTBR0 with its ASID, or satp.
  * @field riscv it is satp.
  */
case class StreamRoot() extends Bundle {
  val root = Bits(64 bits)
  val riscv = Bool()

  /** The MMU's registers as they are for this stream, whose ASID is in its root: TCR.A1 is 0. */
  def in(shared: MmuContext): MmuContext = {
    val context = CombInit(shared)
    context.ttbr0.allowOverride()
    context.ttbr0 := root
    context.ttbr0High.allowOverride()
    context.ttbr0High := 0
    context.tcr.allowOverride()
    context.tcr := shared.tcr & ~B(BigInt(1) << Tcr.a1.lsb, 64 bits)
    context.satp.allowOverride()
    context.satp := root.andMask(riscv)
    context.sctlr.allowOverride()
    context.sctlr := shared.sctlr | B(BigInt(1) << Sctlr.m.lsb, 64 bits)
    context
  }
}

/** A row of the context table.
  *
  * @field privileged accesses are EL1's, else EL0's.
  * @field stalls     a transaction that faults waits for software, else it is answered by SLVERR.
  */
case class StreamContext() extends Bundle {
  val root = Bits(64 bits)
  val mode = StreamMode()
  val privileged, stalls = Bool()

  def of(mode: SpinalEnumElement[StreamMode.type]): Bool = this.mode === mode

  def streamRoot: StreamRoot = {
    val stream = StreamRoot()
    stream.root := root
    stream.riscv := of(StreamMode.riscv)
    stream
  }
}
