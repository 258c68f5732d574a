package granule.cpu

import spinal.core._

/** One instruction as it leaves the pipeline; for test benches.
  *
  * @field valid      the instruction is complete: retired, or (with `trap`) replaced by a trap.
  * @field rd         register written, 0 if none.
  * @field trap       the instruction did not retire; xcause and xtval get `cause` and `tval`.
  * @field stall      why none retires in this cycle.
  * @field privilege  mode in which the instruction ran: 0 U, 1 S, 3 M.
  */
case class Retire() extends Bundle {
  val valid = Bool()
  val pc = UInt(32 bits)
  val instruction = Bits(32 bits)
  val rd = UInt(5 bits)
  val rdValue = Bits(32 bits)
  val trap = Bool()
  val cause = Bits(32 bits)
  val tval = Bits(32 bits)
  val privilege = Bits(2 bits)
  val stall = Stall()
}
