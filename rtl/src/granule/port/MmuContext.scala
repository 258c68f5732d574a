package granule.port

import spinal.core._

/** The registers that choose a translation, in AArch64 layout (spec 1.1-1.4). A change acts on the
  * next access; a walk that is under way ends with the values that it started with.
  *
  * @field satp RISC-V satp (privileged ISA, Sv32): MODE 31, ASID 30:22, PPN 21:0. With MODE = 1 it
  *             alone chooses the translation of S- and U-mode.
  */
case class MmuContext() extends Bundle {
  val tcr, ttbr0, ttbr1, mair, sctlr = Bits(64 bits)
  val satp                           = Bits(32 bits)
}
