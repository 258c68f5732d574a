"""Integer unit, multiplier and divider: every operation as the ISA defines it, on the corners of
both number ranges and on random operands, and when its result is there."""

import itertools
import random

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import low, settle, start, until

RUNS = [
    On("cpubench:teaching", part="Alu",
       tests=["results_and_the_plain_sum", "every_shift_by_every_amount", "branches"]),
    On("simsoc:teaching", part="Multiplier", tests=["products_one_a_cycle"]),
    On("simsoc:teaching", part="Divider",
       tests=["quotients_and_remainders", "a_new_start_abandons_the_division_under_way"]),
]  # fmt: skip

CORNERS = (0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001,
           0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF)  # fmt: skip


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def word(value: int) -> int:
    return value & 0xFFFFFFFF


def pairs(count: int):
    """All pairs of corners, then random pairs of every size."""
    rng = random.Random(1)
    yield from itertools.product(CORNERS, CORNERS)
    for _ in range(count):
        yield rng.getrandbits(rng.randrange(1, 33)), rng.getrandbits(rng.randrange(1, 33))


def put(dut, **inputs) -> None:
    for name, value in inputs.items():
        getattr(dut, f"io_{name}").value = value


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
    for a, b in pairs(300):
        for code, (name, result) in enumerate(OPERATIONS.items()):
            put(dut, op=code, a=a, b=b, funct3=0)
            await settle()
            want, got = word(result(a, b)), int(dut.io_result.value)
            assert got == want, f"{name} {a:#x}, {b:#x}: {got:#x}, not {want:#x}"
            assert int(dut.io_sum.value) == word(a + b)


@cocotb.test()
async def every_shift_by_every_amount(dut):
    amounts = range(64)  # the upper bits of an amount do not count
    values = (0x80000001, 0x7FFFFFFF, 0xA5A55A5A)
    for name, a, amount in itertools.product(("sll", "srl", "sra"), values, amounts):
        put(dut, op=[*OPERATIONS].index(name), a=a, b=amount, funct3=0)
        await settle()
        assert int(dut.io_result.value) == word(OPERATIONS[name](a, amount))


@cocotb.test()
async def branches(dut):
    for a, b in [*pairs(300), *((a, a) for a, _ in pairs(20))]:
        for funct3, taken in BRANCHES.items():
            put(dut, op=0, a=a, b=b, funct3=funct3)
            await settle()
            assert bool(dut.io_taken.value) == taken(a, b), f"{funct3:03b} {a:#x}, {b:#x}"


MUL, MULH, MULHSU, MULHU, DIV, DIVU, REM, REMU = range(8)
PRODUCT = {
    MUL: lambda a, b: a * b,
    MULH: lambda a, b: signed(a) * signed(b) >> 32,
    MULHSU: lambda a, b: signed(a) * b >> 32,
    MULHU: lambda a, b: a * b >> 32,
}
CYCLES = 32  # of a division


def divided(funct3: int, a: int, b: int) -> int:
    """RISC-V "M": towards zero; by zero all ones and the dividend; overflow wraps."""
    if funct3 in (DIV, REM):
        a, b = signed(a), signed(b)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else -1
    return word(quotient if funct3 in (DIV, DIVU) else a - b * quotient)


async def begin(dut, funct3, a, b):
    """Nobody looks at the operands any more in the cycle after the start."""
    put(dut, start=1, funct3=funct3, a=a, b=b)
    await FallingEdge(dut.clk)
    put(dut, start=0, funct3=0, a=0x55555555, b=3)


async def finished(dut) -> int:
    return await until(dut, lambda: dut.io_done.value, "done")


@cocotb.test()
async def products_one_a_cycle(dut):
    """The result is there in the cycle after the start, in which the next one may start."""
    await start(dut, **low(dut))
    for n, (a, b) in enumerate(pairs(800)):
        await begin(dut, n % 4, a, b)
        want, got = word(PRODUCT[n % 4](a, b)), int(dut.io_result.value)
        assert got == want, f"funct3 {n % 4}, {a:#x} * {b:#x}: {got:#x}, not {want:#x}"
    for _ in range(3):
        await FallingEdge(dut.clk)
        assert int(dut.io_result.value) == want, "operands without a start change nothing"


@cocotb.test()
async def quotients_and_remainders(dut):
    await start(dut, **low(dut))
    assert dut.io_done.value
    for n, (a, b) in enumerate(pairs(100)):
        for funct3 in (DIV, DIVU, REM, REMU) if n < 169 else (DIV + n % 4,):
            await begin(dut, funct3, a, b)
            assert await finished(dut) == CYCLES
            want, got = divided(funct3, a, b), int(dut.io_result.value)
            assert got == want, f"funct3 {funct3}, {a:#x} / {b:#x}: {got:#x}, not {want:#x}"
    await FallingEdge(dut.clk)
    assert int(dut.io_result.value) == want, "the result stays"


@cocotb.test()
async def a_new_start_abandons_the_division_under_way(dut):
    await start(dut, **low(dut))
    for cycles in range(CYCLES + 1):
        await begin(dut, REM, 0x80000000, 7)
        for _ in range(cycles):
            await FallingEdge(dut.clk)
        await begin(dut, DIVU, 1000, 7)
        assert await finished(dut) == CYCLES
        assert int(dut.io_result.value) == 142
