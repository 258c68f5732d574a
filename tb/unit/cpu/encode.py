"""RV32IMA_Zicsr instruction words from their fields (RISC-V unprivileged ISA, chapter 2)."""


def r_type(funct7: int, rs2: int, rs1: int, funct3: int, *, rd: int, opcode: int) -> int:
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def i_type(imm: int, rs1: int, funct3: int, rd: int, opcode: int) -> int:
    return (imm & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def alu(funct3: int, rd: int, rs1: int, rs2: int, funct7: int = 0) -> int:
    return r_type(funct7, rs2, rs1, funct3, rd=rd, opcode=0x33)


def alu_imm(funct3: int, rd: int, rs1: int, imm: int) -> int:
    return i_type(imm, rs1, funct3, rd, 0x13)


def addi(rd: int, rs1: int, imm: int) -> int:
    return alu_imm(0, rd, rs1, imm)


def lui(rd: int, upper: int) -> int:
    return (upper & 0xFFFFF) << 12 | rd << 7 | 0x37


def auipc(rd: int, upper: int) -> int:
    return (upper & 0xFFFFF) << 12 | rd << 7 | 0x17


def li(rd: int, value: int) -> list[int]:
    """A 32-bit constant, always two instructions."""
    return [lui(rd, (value + 0x800 >> 12) & 0xFFFFF), addi(rd, rd, value & 0xFFF)]


def load(funct3: int, rd: int, rs1: int, imm: int) -> int:
    return i_type(imm, rs1, funct3, rd, 0x03)


def store(funct3: int, rs2: int, rs1: int, imm: int) -> int:
    return (imm >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 0x1F) << 7 | 0x23


def branch(funct3: int, rs1: int, rs2: int, offset: int) -> int:
    return (
        (offset >> 12 & 1) << 31
        | (offset >> 5 & 0x3F) << 25
        | rs2 << 20
        | rs1 << 15
        | funct3 << 12
        | (offset >> 1 & 0xF) << 8
        | (offset >> 11 & 1) << 7
        | 0x63
    )


def jal(rd: int, offset: int) -> int:
    return (
        (offset >> 20 & 1) << 31
        | (offset >> 1 & 0x3FF) << 21
        | (offset >> 11 & 1) << 20
        | (offset >> 12 & 0xFF) << 12
        | rd << 7
        | 0x6F
    )


def jalr(rd: int, rs1: int, imm: int) -> int:
    return i_type(imm, rs1, 0, rd, 0x67)


def atomic(funct5: int, rd: int, rs1: int, rs2: int, order: int = 0) -> int:
    return r_type(funct5 << 2 | order, rs2, rs1, 2, rd=rd, opcode=0x2F)


def csr(funct3: int, rd: int, number: int, source: int) -> int:
    return i_type(number, source, funct3, rd, 0x73)


ECALL = 0x00000073
EBREAK = 0x00100073
MRET = 0x30200073
NOP = 0x00000013

LR, SC = 0b00010, 0b00011
AMOS = (0b00001, 0b00000, 0b00100, 0b01100, 0b01000, 0b10000, 0b10100, 0b11000, 0b11100)
MSCRATCH, MTVEC, MEPC, MCAUSE, MTVAL = 0x340, 0x305, 0x341, 0x342, 0x343
SSCRATCH, STVAL = 0x140, 0x143
