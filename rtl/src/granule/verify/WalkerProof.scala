package granule.verify

import granule.arch.MmuConfig
import spinal.core._
import spinal.lib._

/** The walker keeps its [[WalkerContract]], and so does its guard; every walk ends:
  * [[WalkerBound]].
  */
case class WalkerProof(config: MmuConfig) extends WalkerSetting(config) {
  private val contract = WalkerContract(walker, port, memory)
  for ((rule, holds) <- contract.rules) Claim.always(rule)(holds)
  Claim.reached("a walk finds a leaf")(port.leaf.valid)
  Claim.reached("a walk faults")(port.fault.valid)
  Claim.reached("a walk is dropped")(port.dropped)
  Claim.reached("a walk stores that an invalidation concerns")(contract.killed && contract.stores)
  if (config.walkCacheEntries > 0)
    Claim.reached("a walk remembers a table")(walker.io.tables.install.valid)

  private val bound = WalkerBound(walker, contract)
  Claim.always(s"a walk ends in ${bound.most} cycles")(bound.holds)
  Claim.reached("a walk takes as many")(bound.cycles === bound.most)
}
