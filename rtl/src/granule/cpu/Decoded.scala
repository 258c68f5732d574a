package granule.cpu

import granule.cache.L1Op
import spinal.core._

/** What an instruction needs of the pipeline. */
object Kind extends SpinalEnum(binarySequential) {
  val alu, branch, jal, jalr, memory, mul, div, system = newElement()
}

/** Immediate formats; `none` is zero. */
object Imm extends SpinalEnum(binarySequential) {
  val none, i, s, b, u, j = newElement()
}

/** First operand of the ALU. */
object OperandA extends SpinalEnum(binarySequential) {
  val zero, rs1, pc = newElement()
}

object AluOp extends SpinalEnum(binarySequential) {
  val add, sub, sll, slt, sltu, xor, srl, sra, or, and = newElement()
}

/** Instructions that touch more than a register; executed alone, in the memory stage. */
object SystemOp extends SpinalEnum(binarySequential) {
  val csr, ecall, ebreak, mret, sret, wfi, fenceI, sfence = newElement()
}

/** Control signals of one instruction, as [[Decoder]]'s table gives them. A field that means
  * nothing for a kind has any value.
  *
  * @field bIsRs2      second operand of the ALU: rs2, or the immediate.
  * @field readsRs2    also set where rs2 is no ALU operand (store data).
  * @field writesRd    and rd is not x0.
  */
case class Decoded() extends Bundle {
  val legal = Bool()
  val kind = Kind()
  val imm = Imm()
  val a = OperandA()
  val bIsRs2 = Bool()
  val readsRs1 = Bool()
  val readsRs2 = Bool()
  val writesRd = Bool()
  val aluOp = AluOp()
  val memory = L1Op()
  val system = SystemOp()

  /** The result is not there before write-back. */
  def isLate: Bool =
    kind === Kind.memory || kind === Kind.mul || kind === Kind.div || kind === Kind.system
}

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
  def loads: Bool = memory === L1Op.load || memory === L1Op.lr

  /** By the hints of the unprivileged ISA, 2.5: x1 and x5 hold return addresses. */
  def calls: Bool = (kind === Kind.jal || kind === Kind.jalr) && isLink(rd)
  def returns: Bool =
    kind === Kind.jalr && !isLink(rd) && isLink(instruction(19 downto 15).asUInt)
  private def isLink(register: UInt) = register === 1 || register === 5
  def is(op: SpinalEnumElement[SystemOp.type]) = isSystem && system === op
}
