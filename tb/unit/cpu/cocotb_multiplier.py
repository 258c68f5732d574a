"""Multiplier: all four instructions, one a cycle, and a result that stays until the next start."""

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import start
from unit.cpu.operands import pairs, signed, word

RUNS = [On("simsoc:teaching", part="Multiplier")]

MUL, MULH, MULHSU, MULHU = range(4)
PRODUCT = {
    MUL: lambda a, b: a * b,
    MULH: lambda a, b: signed(a) * signed(b) >> 32,
    MULHSU: lambda a, b: signed(a) * b >> 32,
    MULHU: lambda a, b: a * b >> 32,
}


@cocotb.test()
async def products_one_a_cycle(dut):
    """The result is there in the cycle after the start, in which the next one may start."""
    await start(dut, io_start=0, io_funct3=0, io_a=0, io_b=0)
    before = None
    for n, (a, b) in enumerate(pairs(800)):
        funct3 = n % 4
        dut.io_start.value, dut.io_funct3.value = 1, funct3
        dut.io_a.value, dut.io_b.value = a, b
        await FallingEdge(dut.clk)
        want = word(PRODUCT[funct3](a, b))
        got = int(dut.io_result.value)
        assert got == want, f"funct3 {funct3}, {a:#x} * {b:#x}: {got:#x}, not {want:#x}"
        before = want
    dut.io_start.value, dut.io_a.value, dut.io_funct3.value = 0, 3, 0
    for _ in range(3):
        await FallingEdge(dut.clk)
        assert int(dut.io_result.value) == before, "operands without a start change nothing"
