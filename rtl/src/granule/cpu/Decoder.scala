package granule.cpu

import granule.cache.L1Op
import spinal.core._
import spinal.lib._
import spinal.lib.logic._

/** Registers that an instruction names. */
private object Register extends Enumeration { val rs1, rs2, rd = Value }

/** One row of the instruction table: which words, and what they need. `None`: any value will do. */
private case class Row(
    pattern: MaskedLiteral,
    kind: SpinalEnumElement[Kind.type],
    uses: Set[Register.Value] = Set(),
    imm: SpinalEnumElement[Imm.type] = Imm.none,
    a: SpinalEnumElement[OperandA.type] = OperandA.rs1,
    bIsRs2: Boolean = false,
    aluOp: Option[SpinalEnumElement[AluOp.type]] = None,
    memory: Option[SpinalEnumElement[L1Op.type]] = None,
    system: Option[SpinalEnumElement[SystemOp.type]] = None
)

/** Instruction decoder: combinational, from a table (RISC-V unprivileged ISA, chapter "Instruction
  * set listings"; privileged ISA for mret, sret, wfi, sfence.vma; Zicbom for cbo.*).
  */
object Decoder {
  import Register._

  private def reg(pattern: MaskedLiteral, op: SpinalEnumElement[AluOp.type]) =
    Row(pattern, Kind.alu, Set(rs1, rs2, rd), bIsRs2 = true, aluOp = Some(op))
  private def immediate(pattern: MaskedLiteral, op: SpinalEnumElement[AluOp.type]) =
    Row(pattern, Kind.alu, Set(rs1, rd), Imm.i, aluOp = Some(op))
  private def jalr(pattern: MaskedLiteral) = immediate(pattern, AluOp.add).copy(kind = Kind.jalr)
  private def upper(pattern: MaskedLiteral, a: SpinalEnumElement[OperandA.type]) =
    Row(pattern, Kind.alu, Set(rd), Imm.u, a, aluOp = Some(AluOp.add))
  private def branch(pattern: MaskedLiteral) =
    Row(pattern, Kind.branch, Set(rs1, rs2), Imm.b, bIsRs2 = true)
  private def memory(
      pattern: MaskedLiteral,
      op: SpinalEnumElement[L1Op.type],
      imm: SpinalEnumElement[Imm.type],
      uses: Register.Value*
  ) = Row(pattern, Kind.memory, uses.toSet, imm, aluOp = Some(AluOp.add), memory = Some(op))
  private def load(pattern: MaskedLiteral) = memory(pattern, L1Op.load, Imm.i, rs1, rd)
  private def store(pattern: MaskedLiteral) = memory(pattern, L1Op.store, Imm.s, rs1, rs2)
  private def atomic(pattern: MaskedLiteral, op: SpinalEnumElement[L1Op.type]) =
    memory(pattern, op, Imm.none, rs1, rs2, rd)
  private def cacheBlock(pattern: MaskedLiteral, op: SpinalEnumElement[L1Op.type]) =
    memory(pattern, op, Imm.none, rs1)
  private def mulDiv(pattern: MaskedLiteral, kind: SpinalEnumElement[Kind.type]) =
    Row(pattern, kind, Set(rs1, rs2, rd), bIsRs2 = true)
  private def system(
      pattern: MaskedLiteral,
      op: SpinalEnumElement[SystemOp.type],
      uses: Register.Value*
  ) = Row(pattern, Kind.system, uses.toSet, system = Some(op))

  private val table: Seq[Row] = Seq(
    upper(M"-------------------------0110111", OperandA.zero), // lui
    upper(M"-------------------------0010111", OperandA.pc), // auipc
    Row(M"-------------------------1101111", Kind.jal, Set(rd), Imm.j),
    jalr(M"-----------------000-----1100111"),
    branch(M"-----------------00------1100011"), // beq, bne
    branch(M"-----------------1-------1100011"), // blt, bge, bltu, bgeu
    load(M"-----------------00------0000011"), // lb, lh
    load(M"-----------------010-----0000011"), // lw
    load(M"-----------------10------0000011"), // lbu, lhu
    store(M"-----------------00------0100011"), // sb, sh
    store(M"-----------------010-----0100011"), // sw
    immediate(M"-----------------000-----0010011", AluOp.add),
    immediate(M"-----------------010-----0010011", AluOp.slt),
    immediate(M"-----------------011-----0010011", AluOp.sltu),
    immediate(M"-----------------100-----0010011", AluOp.xor),
    immediate(M"-----------------110-----0010011", AluOp.or),
    immediate(M"-----------------111-----0010011", AluOp.and),
    immediate(M"0000000----------001-----0010011", AluOp.sll),
    immediate(M"0000000----------101-----0010011", AluOp.srl),
    immediate(M"0100000----------101-----0010011", AluOp.sra),
    reg(M"0000000----------000-----0110011", AluOp.add),
    reg(M"0100000----------000-----0110011", AluOp.sub),
    reg(M"0000000----------001-----0110011", AluOp.sll),
    reg(M"0000000----------010-----0110011", AluOp.slt),
    reg(M"0000000----------011-----0110011", AluOp.sltu),
    reg(M"0000000----------100-----0110011", AluOp.xor),
    reg(M"0000000----------101-----0110011", AluOp.srl),
    reg(M"0100000----------101-----0110011", AluOp.sra),
    reg(M"0000000----------110-----0110011", AluOp.or),
    reg(M"0000000----------111-----0110011", AluOp.and),
    mulDiv(M"0000001----------0-------0110011", Kind.mul),
    mulDiv(M"0000001----------1-------0110011", Kind.div),
    memory(M"00010--00000-----010-----0101111", L1Op.lr, Imm.none, rs1, rd),
    atomic(M"00011------------010-----0101111", L1Op.sc),
    atomic(M"0000-------------010-----0101111", L1Op.amo), // amoadd, amoswap
    atomic(M"00100------------010-----0101111", L1Op.amo), // amoxor
    atomic(M"01-00------------010-----0101111", L1Op.amo), // amoor, amoand
    atomic(M"1--00------------010-----0101111", L1Op.amo), // amomin, amomax, amominu, amomaxu
    // One agent, in order: a fence has nothing to wait for. All its fields are hints.
    Row(M"-----------------000-----0001111", Kind.alu, aluOp = Some(AluOp.add)),
    system(M"-----------------001-----0001111", SystemOp.fenceI),
    cacheBlock(M"000000000000-----010000000001111", L1Op.invalidate),
    cacheBlock(M"000000000001-----010000000001111", L1Op.clean),
    cacheBlock(M"000000000010-----010000000001111", L1Op.flush),
    system(M"-----------------001-----1110011", SystemOp.csr, rs1, rd),
    system(M"-----------------01------1110011", SystemOp.csr, rs1, rd),
    system(M"-----------------101-----1110011", SystemOp.csr, rd),
    system(M"-----------------11------1110011", SystemOp.csr, rd),
    system(M"00000000000000000000000001110011", SystemOp.ecall),
    system(M"00000000000100000000000001110011", SystemOp.ebreak),
    system(M"00110000001000000000000001110011", SystemOp.mret),
    system(M"00010000001000000000000001110011", SystemOp.sret),
    system(M"00010000010100000000000001110011", SystemOp.wfi),
    system(M"0001001----------000000001110011", SystemOp.sfence, rs1, rs2)
  )

  def apply(instruction: Bits): Decoded = {
    val keys = table.map(r => Masked(r.pattern))

    // Words outside the table are free to give anything: `legal` covers them.
    def field[T <: BaseType](signal: T)(value: Row => Option[Masked]): Unit = {
      val spec = new DecodingSpec(HardType(signal))
      for ((row, key) <- table.zip(keys); v <- value(row)) spec.addNeeds(key, v)
      signal.assignFromBits(spec.build(instruction, keys).asBits)
    }
    def flag(b: Boolean) = Some(if (b) Masked.one else Masked.zero)

    val d = Decoded()
    d.legal := table.map(_.pattern === instruction).orR
    field(d.kind)(r => Some(Masked(r.kind)))
    field(d.imm)(r => Some(Masked(r.imm)))
    field(d.a)(r => Some(Masked(r.a)))
    field(d.bIsRs2)(r => flag(r.bIsRs2))
    field(d.readsRs1)(r => flag(r.uses(rs1)))
    field(d.readsRs2)(r => flag(r.uses(rs2)))
    val writesRd = Bool()
    field(writesRd)(r => flag(r.uses(rd)))
    d.writesRd := writesRd && instruction(11 downto 7) =/= 0
    field(d.aluOp)(_.aluOp.map(Masked(_)))
    field(d.memory)(_.memory.map(Masked(_)))
    field(d.system)(_.system.map(Masked(_)))
    d
  }

  def immediate(instruction: Bits, format: SpinalEnumCraft[Imm.type]): Bits = {
    val i = instruction
    def signed(bits: Bits) = bits.asSInt.resize(32).asBits
    format.mux(
      Imm.none -> B(0, 32 bits),
      Imm.i -> signed(i(31 downto 20)),
      Imm.s -> signed(i(31 downto 25) ## i(11 downto 7)),
      Imm.b -> signed(i(31) ## i(7) ## i(30 downto 25) ## i(11 downto 8) ## False),
      Imm.u -> i(31 downto 12) ## B(0, 12 bits),
      Imm.j -> signed(i(31) ## i(19 downto 12) ## i(20) ## i(30 downto 21) ## False)
    )
  }
}
