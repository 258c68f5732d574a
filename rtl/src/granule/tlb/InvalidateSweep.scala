package granule.tlb

import granule.config.MmuConfig
import granule.format.Formats
import granule.port._
import spinal.core._
import spinal.lib._

/** What leads TLBs through an invalidation: they clear those of the entries `step` that `scope`
  * covers, one cycle later. `busy` from the command to the end: what is covered may still be
  * there.
  */
case class SweepPort(config: MmuConfig) extends Bundle with IMasterSlave {
  val step  = Flow(UInt(InvalidateSweep.stepWidth(config) bits))
  val scope = InvalidateScope(Formats(config))
  val end   = SInt(scope.first.getWidth bits) // of the scope
  val busy  = Bool()

  override def asMaster(): Unit = {
    master(step)
    out(scope, end, busy)
  }
}

/** Carries every invalidation through all TLBs at once: one pass over the entries, `sweepLanes` of
  * them a cycle, whatever the kind. So every kind takes the same number of cycles, and a range of
  * any length costs one comparator a lane instead of one an entry.
  *
  * Ports: `port` ([[InvalidatePort]]); `accepted` repeats the command in the cycle in which it is
  * accepted, for walks in flight; `sweep` leads the TLBs ([[SweepPort]]).
  *
  * Latency: `done` follows acceptance by entries / lanes + 3 cycles, entries being those of the
  * largest TLB. It never waits for memory: a walk that was killed may still wait for an answer,
  * which could itself wait for the store that sent the invalidation.
  */
case class InvalidateSweep(config: MmuConfig) extends Component {
  private val formats   = Formats(config)
  private val steps     = InvalidateSweep.steps(config)
  private val stepWidth = InvalidateSweep.stepWidth(config)

  val io = new Bundle {
    val port     = slave(InvalidatePort())
    val accepted = master(Flow(InvalidateCmd()))
    val sweep    = master(SweepPort(config))
  }

  object State extends SpinalEnum { val idle, widen, sweep, settle, finish = newElement() }
  private val state = RegInit(State.idle)
  private val scope = Reg(InvalidateScope(formats))
  private val step  = Reg(UInt(stepWidth bits))

  switch(state) {
    is(State.idle) {
      step                          := 0
      when(io.port.cmd.valid)(state := State.widen)
    }
    is(State.widen)(state := State.sweep)
    is(State.sweep) {
      step                           := step + 1
      when(step === steps - 1)(state := State.settle)
    }
    is(State.settle)(state := State.finish)
    is(State.finish)(state := State.idle)
  }

  // A range of large pages is ready when the first entries were read, a cycle into the sweep.
  private val wider = Reg(UInt(2 bits)) init 0
  if (formats.granules.size > 1) when(wider =/= 0) {
    scope.widen()
    wider := wider - 1
  }
  when(io.port.cmd.fire)(wider := scope.decode(io.port.cmd.payload))

  io.port.cmd.ready     := state === State.idle
  io.port.done          := state === State.finish
  io.accepted.valid     := io.port.cmd.fire
  io.accepted.payload   := io.port.cmd.payload
  io.sweep.step.valid   := state === State.sweep
  io.sweep.step.payload := step
  io.sweep.scope        := scope
  io.sweep.end          := scope.end
  io.sweep.busy         := state =/= State.idle
}

object InvalidateSweep {
  def steps(config: MmuConfig): Int =
    Seq(config.fetchTlbEntries, config.dataTlbEntries, config.walkCacheEntries).max /
      config.sweepLanes

  def stepWidth(config: MmuConfig): Int = log2Up(steps(config)).max(1)
}
