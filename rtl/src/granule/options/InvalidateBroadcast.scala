package granule.options

import granule.mmu.{InvalidatePort, SparedAgents}
import spinal.core._
import spinal.lib._

/** One invalidation for several agents, each of which remembers translations: every agent takes it
  * when it can, and the sender's `done` waits for the last of them. So to the sender they are one.
  *
  * Ports: `sender`; `spared`, which agents are not told of the command that it offers; `cpu` and
  * `devices` are the agents. An agent's `done` comes a cycle after it took its command, or later.
  *
  * The next command is accepted when `done` of the one before is over. Latency: a cycle from a
  * `done` to the next command; that of the slowest agent else, and one for a command that spares
  * all.
  */
case class InvalidateBroadcast() extends Component {
  val io = new Bundle {
    val sender = slave(InvalidatePort())
    val spared = in(SparedAgents())
    val cpu, devices = master(InvalidatePort())
  }
  private val agents = Seq(io.cpu -> io.spared.cpu, io.devices -> io.spared.devices)

  private val open = RegInit(False) setWhen io.sender.cmd.fire clearWhen io.sender.done
  private val told = StreamFork(io.sender.cmd.haltWhen(open), agents.size)
  private val ended = for (((agent, spared), cmd) <- agents.zip(told)) yield {
    agent.cmd << cmd.throwWhen(spared)
    val owes = RegInit(False) setWhen agent.cmd.fire clearWhen agent.done
    !owes || agent.done
  }
  io.sender.done := open && ended.andR
}
