"""Integer unit: every operation and branch condition on corners and random operands."""

import cocotb

from support.on import On
from support.parts import settle
from unit.cpu.operands import pairs, signed, word

RUNS = [On("cpubench:teaching", part="Alu")]

# In the order of AluOp.
OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "sll": lambda a, b: a << (b & 31),
    "slt": lambda a, b: signed(a) < signed(b),
    "sltu": lambda a, b: a < b,
    "xor": lambda a, b: a ^ b,
    "srl": lambda a, b: a >> (b & 31),
    "sra": lambda a, b: signed(a) >> (b & 31),
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
}
BRANCHES = {
    0b000: lambda a, b: a == b,
    0b001: lambda a, b: a != b,
    0b100: lambda a, b: signed(a) < signed(b),
    0b101: lambda a, b: signed(a) >= signed(b),
    0b110: lambda a, b: a < b,
    0b111: lambda a, b: a >= b,
}


@cocotb.test()
async def results_and_the_plain_sum(dut):
    dut.io_funct3.value = 0
    for a, b in pairs(300):
        dut.io_a.value, dut.io_b.value = a, b
        for code, (name, result) in enumerate(OPERATIONS.items()):
            dut.io_op.value = code
            await settle()
            want = word(result(a, b))
            got = int(dut.io_result.value)
            assert got == want, f"{name} {a:#x}, {b:#x}: {got:#x}, not {want:#x}"
            assert int(dut.io_sum.value) == word(a + b)


@cocotb.test()
async def every_shift_by_every_amount(dut):
    dut.io_funct3.value = 0
    for amount in range(64):  # the upper bits of an amount do not count
        for code, name in enumerate(OPERATIONS):
            if name in ("sll", "srl", "sra"):
                for a in (0x80000001, 0x7FFFFFFF, 0xA5A55A5A):
                    dut.io_op.value, dut.io_a.value, dut.io_b.value = code, a, amount
                    await settle()
                    assert int(dut.io_result.value) == word(OPERATIONS[name](a, amount))


@cocotb.test()
async def branches(dut):
    dut.io_op.value = 0
    for a, b in [*pairs(300), *((a, a) for a, _ in pairs(20))]:
        dut.io_a.value, dut.io_b.value = a, b
        for funct3, taken in BRANCHES.items():
            dut.io_funct3.value = funct3
            await settle()
            assert bool(dut.io_taken.value) == taken(a, b), f"{funct3:03b} {a:#x}, {b:#x}"
