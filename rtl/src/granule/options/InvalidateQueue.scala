package granule.options

import granule.mmu.{InvalidatePort, SparedAgents, SparingInvalidate}
import spinal.core._
import spinal.lib._

/** Keeps invalidations of a sender that does not wait for each, and sends them on in their order.
  *
  * Ports: `sent` takes a command while there is a place; `port` and `spared` have the oldest one
  * that no agent has taken. `open` are the commands that were taken and are not complete, of which
  * one is with the agents; with `complete`, all that were taken are, those of this cycle not among
  * them. Until then what they cover may answer.
  *
  * Latency: none; a command is offered in the cycle in which it comes if there is no older one.
  *
  * @param commands places.
  */
case class InvalidateQueue(commands: Int) extends Component {
  val io = new Bundle {
    val sent = slave(Stream(SparingInvalidate()))
    val port = master(InvalidatePort())
    val spared = out(SparedAgents())
    val open = out(UInt(log2Up(commands + 2) bits))
    val complete = out(Bool())
  }

  private val places = StreamFifo(SparingInvalidate(), commands, latency = 0)
  places.io.push << io.sent
  private val oldest = places.io.pop
  io.port.cmd.arbitrationFrom(oldest)
  io.port.cmd.payload := oldest.command
  io.spared := oldest.spared

  private val open = Reg(UInt(io.open.getWidth bits)) init 0
  open := open + io.sent.fire.asUInt - io.port.done.asUInt
  io.open := open
  io.complete := open === 0 || open === 1 && io.port.done
}
