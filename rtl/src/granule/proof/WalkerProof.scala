package granule.proof

import granule.config.MmuConfig
import spinal.core._
import spinal.lib._

/** The walker keeps its [[WalkerContract]], and every walk ends.
  *
  * Of a walk the cycles count that the memory does not make it wait. A swap that is lost begins it
  * again: another agent has changed the descriptor in between.
  */
case class WalkerProof(config: MmuConfig) extends WalkerSetting(config) {
  private val contract = WalkerContract(walker)
  for ((rule, holds) <- contract.rules) Claim.always(rule)(holds)
  Claim.reached("a walk finds a leaf")(walker.io.walk.leaf.valid)
  Claim.reached("a walk faults")(walker.io.walk.fault.valid)
  Claim.reached("a walk is dropped")(walker.io.walk.dropped)
  Claim.reached("a walk stores that an invalidation concerns")(contract.killed && contract.stores)
  if (config.walkCacheEntries > 0)
    Claim.reached("a walk remembers a table")(walker.io.tables.install.valid)

  private val (cmd, rsp) = (memory.cmd, memory.rsp)
  private val expected = RegNextWhen(cmd.expected, cmd.fire)
  private val lost = rsp.valid && RegNextWhen(cmd.swap, cmd.fire) && rsp.data =/= expected
  private val waits = cmd.isStall || due && !rsp.valid
  private val cycles = Reg(UInt(5 bits)) init 0
  when(!contract.underWay || lost) { cycles := 0 } elsewhen (!waits) { cycles := cycles + 1 }
  Claim.always(s"a walk ends in ${WalkerProof.cycles} cycles")(cycles <= WalkerProof.cycles)
  Claim.reached("a walk takes as many")(cycles === WalkerProof.cycles)
}

object WalkerProof {
  val cycles = 14
}
