package granule.cache

import granule.arch.CoverPoint
import spinal.core._
import spinal.lib._

/** @field instructionCache the operation is for the instruction cache, which only invalidates. */
case class MaintainCmd() extends Bundle {
  val clean = Bool()
  val invalidate = Bool()
  val instructionCache = Bool()
}

/** Whole-cache maintenance of either cache. `cmd` is held until `done`. */
case class MaintainPort() extends Bundle with IMasterSlave {
  val cmd = Stream(MaintainCmd())
  val done = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    in(done)
  }
}

/** Sequencer of whole-cache maintenance: one request at a time, FENCE.I first.
  *
  * `fence` is FENCE.I whatever its fields say: the data cache is cleaned, then the instruction
  * cache invalidated. `registers` names its cache. Both are held until their `done`, one cycle
  * long.
  */
case class Maintainer() extends Component {
  val io = new Bundle {
    val fence = slave(L1MaintainPort())
    val registers = slave(MaintainPort())
    val data = master(L1MaintainPort())
    val fetch = master(L1MaintainPort())
  }

  private object State extends SpinalEnum(binarySequential) {
    val idle, fenceData, fenceFetch, data, fetch, done = newElement()
  }
  import State._
  private val state = Reg(State()) init idle
  private val isFence = Reg(Bool())

  io.data.cmd.valid := state === fenceData || state === data
  io.data.cmd.clean := state === fenceData || io.registers.cmd.clean
  io.data.cmd.invalidate := state === data && io.registers.cmd.invalidate
  io.fetch.cmd.valid := state === fenceFetch || state === fetch
  io.fetch.cmd.clean := False
  io.fetch.cmd.invalidate := True

  switch(state) {
    is(idle) {
      isFence := io.fence.cmd.valid
      when(io.fence.cmd.valid) {
        state := fenceData
      } elsewhen (io.registers.cmd.valid) {
        state := data
        when(io.registers.cmd.instructionCache) {
          // Nothing in it can be dirty: a clean alone is complete at once.
          state := Mux(io.registers.cmd.invalidate, fetch(), done())
        }
      }
    }
    is(fenceData) { when(io.data.done) { state := fenceFetch } }
    is(fenceFetch) { when(io.fetch.done) { state := done } }
    is(data) { when(io.data.done) { state := done } }
    is(fetch) { when(io.fetch.done) { state := done } }
    is(done) { state := idle }
  }

  io.fence.done := state === done && isFence
  io.fence.cmd.ready := io.fence.done
  io.registers.done := state === done && !isFence
  io.registers.cmd.ready := io.registers.done

  CoverPoint("maintainer.fence_first")(
    state === idle && io.fence.cmd.valid && io.registers.cmd.valid
  )
}
