package granule.cache

import granule.arch.CoverPoint
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
  private val faulty = io.below.rsp.valid && io.below.rsp.fault.valid

  io.below.cmd << io.above.cmd.s2mPipe(flush = faulty)
  io.above.rsp << io.below.rsp

  CoverPoint("buffer.keeps")(io.above.cmd.fire && !io.below.cmd.ready && !faulty)
  CoverPoint("buffer.drops")(faulty && !io.above.cmd.ready)
}
