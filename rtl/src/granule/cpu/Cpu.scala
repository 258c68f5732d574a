package granule.cpu

import granule.port._
import spinal.core._
import spinal.lib._

/** Ports of the core. */
case class CpuIo() extends Bundle {
  val fetch             = master(L1FetchPort())
  val data              = master(L1DataPort())
  val counters          = master(CounterPort())
  val sfence            = master(InvalidatePort())
  val fenceI            = master(L1MaintainPort())
  val fault             = master(Flow(FaultReport()))
  val timerInterrupt    = in(Bool())
  val softwareInterrupt = in(Bool())
  val externalInterrupt = in(Bool())
  val mtime             = in(UInt(64 bits))
  val privilege         = out(Bits(2 bits))
  val retired           = out(Bool())
  val retire            = out(Retire())
}

/** RV32IMA_Zicsr_Zifencei_Zicbom core with M, S and U mode. */
case class Cpu(resetPc: Long) extends Component {
  val io = CpuIo()
  for (signal <- io.flatten if signal.isOutput) signal match {
    case flag: Bool => flag := False
    case other      => other.assignFromBits(B(0, other.getBitsWidth bits))
  }
}
