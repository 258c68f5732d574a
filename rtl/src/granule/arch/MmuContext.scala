package granule.arch

import spinal.core._

/** The registers that choose a translation, in AArch64 layout (spec 1.1-1.4, 1.8, 5.5, 10.3). A
  * change acts on the next access; a walk that is under way ends with the values that it started
  * with.
  *
  * @field ttbr0High bits 127:64 of the 128-bit form; ttbr1High likewise.
  * @field satp      RISC-V's satp, with RV32 in bits 31:0; unless its MODE is Bare, the others do
  *                  not matter.
  */
case class MmuContext() extends Bundle {
  val tcr, ttbr0, ttbr1, mair, sctlr = Bits(64 bits)
  val tcr2, ttbr0High, ttbr1High, mair2, pir, pire0 = Bits(64 bits)
  val satp = Bits(64 bits)
}
