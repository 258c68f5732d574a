"""Divider: quotient and remainder as the ISA defines them for all operands, in 32 cycles."""

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import start, until
from unit.cpu.operands import pairs, signed, word

RUNS = [On("simsoc:teaching", part="Divider")]

DIV, DIVU, REM, REMU = 4, 5, 6, 7
CYCLES = 32


def divided(funct3: int, a: int, b: int) -> int:
    """RISC-V "M": towards zero; by zero all ones and the dividend; overflow wraps."""
    if funct3 in (DIV, REM):
        a, b = signed(a), signed(b)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else -1
    return word(quotient if funct3 in (DIV, DIVU) else a - b * quotient)


async def begin(dut, funct3, a, b):
    dut.io_start.value, dut.io_funct3.value = 1, funct3
    dut.io_a.value, dut.io_b.value = a, b
    await FallingEdge(dut.clk)
    dut.io_start.value = 0
    dut.io_a.value, dut.io_b.value, dut.io_funct3.value = 0x55555555, 3, 0  # nobody looks


async def finished(dut) -> int:
    return await until(dut, lambda: dut.io_done.value, "done")


@cocotb.test()
async def quotients_and_remainders(dut):
    await start(dut, io_start=0, io_funct3=0, io_a=0, io_b=0)
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
    await start(dut, io_start=0, io_funct3=0, io_a=0, io_b=0)
    for cycles in range(CYCLES + 1):
        await begin(dut, REM, 0x80000000, 7)
        for _ in range(cycles):
            await FallingEdge(dut.clk)
        await begin(dut, DIVU, 1000, 7)
        assert await finished(dut) == CYCLES
        assert int(dut.io_result.value) == 142
