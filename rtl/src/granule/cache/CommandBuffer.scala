package granule.cache

import granule.port._
import spinal.core._
import spinal.lib._

/** Room for one command in front of the data cache, so that `above.cmd.ready` is a register:
  * whether the cache hits is known late in the cycle, and must not travel on into the CPU's stages.
  *
  * A command passes through in its own cycle when the cache takes it, and waits here otherwise. A
  * faulting answer drops the command that waits, like the one that the cache takes in its cycle:
  * both are younger than the fault.
  *
  * Latency: none. Full throughput.
  */
case class CommandBuffer() extends Component {
  val io = new Bundle {
    val above = slave(L1DataPort())
    val below = master(L1DataPort())
  }
  private val waits = RegInit(False)
  private val waiting = RegNextWhen(io.above.cmd.payload, !waits)
  private val faulty = io.below.rsp.valid && io.below.rsp.fault.valid

  io.above.cmd.ready := !waits
  io.below.cmd.valid := waits || io.above.cmd.valid
  io.below.cmd.payload := Mux(waits, waiting, io.above.cmd.payload)
  waits := io.below.cmd.valid && !io.below.cmd.ready && !faulty
  io.above.rsp << io.below.rsp
}
