package granule.port

import spinal.core._

/** The registers that choose a translation, in AArch64 layout (spec 1.1-1.4). A change acts on the
  * next access; a walk that is under way ends with the values that it started with.
  */
case class MmuContext() extends Bundle {
  val tcr, ttbr0, ttbr1, mair, sctlr = Bits(64 bits)
}
