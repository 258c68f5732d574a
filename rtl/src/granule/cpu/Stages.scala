package granule.cpu

import granule.cache.L1Op
import spinal.core._

/** Why an instruction traps, as found so far.
  *
  * @field status  of a fetch or data fault: goes out as [[granule.ip.FaultReport]].
  */
case class PendingTrap() extends Bundle {
  val valid = Bool()
  val interrupt = Bool()
  val cause = UInt(4 bits)
  val fault = Bool()
  val status = Bits(6 bits)
}

/** What every stage carries of its instruction. */
case class Slot() extends Bundle {
  val pc = UInt(32 bits)
  val instruction = Bits(32 bits)
  val kind = Kind()
  val memory = L1Op()
  val system = SystemOp()
  val writesRd = Bool()
  val late = Bool() // the result is not there before write-back
  val exception = PendingTrap()

  def rd: UInt = instruction(11 downto 7).asUInt
  def funct3: Bits = instruction(14 downto 12)
  def isSystem: Bool = kind === Kind.system
  def is(op: SpinalEnumElement[SystemOp.type]) = isSystem && system === op
}
