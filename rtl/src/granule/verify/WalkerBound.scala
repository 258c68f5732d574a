package granule.verify

import granule.mmu.Walker
import spinal.core._
import spinal.lib._

/** How long a walk takes. Of a walk the cycles count that the memory does not make it wait. A swap
  * that is lost begins it again: another agent has changed the descriptor in between.
  */
case class WalkerBound(walker: Walker, contract: WalkerContract) extends Area {
  private def at[T <: Data](port: T): T = port.pull()
  private val (cmd, rsp) = (contract.memory.cmd, contract.memory.rsp)
  private val (valid, ready) = (at(cmd.valid), at(cmd.ready))
  private val (answered, command) = (at(rsp.valid), at(cmd.payload))
  private val fires = valid && ready
  private val due = RegInit(False) setWhen fires clearWhen answered
  private val swaps = RegNextWhen(command.swap, fires)
  private val expected = RegNextWhen(command.expected, fires)

  /** A swap is lost. */
  val lost = answered && swaps && at(rsp.data) =/= expected
  val waits = valid && !ready || due && !answered
  val cycles = Reg(UInt(6 bits)) init 0
  when(!contract.underWay || lost) { cycles := 0 } elsewhen (!waits) { cycles := cycles + 1 }
  val most = if (walker.config.pmp) WalkerBound.guarded else WalkerBound.cycles
  val holds = cycles <= most
}

object WalkerBound {
  val cycles = 12

  /** With physical memory protection. */
  val guarded = 33
}
