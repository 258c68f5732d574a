package granule.cache

import spinal.core.log2Up

/** Codes of the cache description registers (spec 1.6), computed from what is built. */
object CacheIdentity {

  /** CCSIDR_EL1.LineSize. */
  def lineSizeCode(c: CacheConfig): Int = log2Up(c.lineBytes) - 4

  /** CTR_EL0.L1Ip: an instruction cache whose way is at most a page never holds a line twice, which
    * software sees as PIPT (3); else VIPT (2).
    */
  def l1Ip(icache: CacheConfig): Int = if (icache.wayBytes > 4096) 2 else 3

  /** L1D_INFO.replacement. */
  def replacementCode(r: Replacement): Int = r match {
    case Replacement.TrueLru  => 0
    case Replacement.TreePlru => 1
    case Replacement.Nru      => 2
    case Replacement.Random   => 3
  }

  /** L1D_INFO.aliases. */
  def aliasCode(a: Aliases): Int = a match {
    case Aliases.Physical => 0
    case Aliases.OneCopy  => 1
    case Aliases.Copies   => 2
  }
}
