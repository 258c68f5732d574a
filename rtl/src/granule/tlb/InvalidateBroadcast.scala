package granule.tlb

import granule.port.InvalidatePort
import spinal.core._
import spinal.lib._

/** One invalidation for several agents, each of which remembers translations: every agent takes it
  * when it can, and the sender's `done` waits for the last of them. So to the sender they are one.
  *
  * Each agent owes one command at most. Latency: none beside that of the slowest agent.
  */
object InvalidateBroadcast {

  /** The port of the sender. */
  def apply(agents: InvalidatePort*): InvalidatePort = {
    val sender = InvalidatePort()
    for ((cmd, agent) <- StreamFork(sender.cmd, agents.size).zip(agents)) agent.cmd << cmd
    val done = agents.map(agent => RegInit(False) setWhen agent.done)
    sender.done := done.zip(agents).map { case (before, agent) => before || agent.done }.andR
    for (before <- done) before clearWhen sender.done
    sender
  }
}
