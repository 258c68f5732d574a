"""The finisher as software sees it: SiFive's commands, and nothing else, end the run."""

import random

import cocotb
import pytest

from support.apb import Apb
from support.on import On

RUNS = [On("simsoc:teaching", part="Finisher")]

PASS, FAIL, RESET = 0x5555, 0x3333, 0x7777


def outputs(dut) -> tuple[int, int, int]:
    return tuple(int(getattr(dut, f"io_{name}").value) for name in ("powerOff", "reset", "status"))


@cocotb.test()
async def commands_end_the_run_and_are_not_answered(dut):
    for value, wanted in (
        (PASS, (1, 0, 0)),
        (FAIL | 7 << 16, (1, 0, 7)),
        (FAIL | 0xFFFF << 16, (1, 0, 0xFFFF)),
        (FAIL, (1, 0, 1)),
        (RESET, (0, 1, 0)),
    ):
        apb = await Apb.start(dut)
        assert outputs(dut) == (0, 0, 0)
        with pytest.raises(AssertionError, match="is not acknowledged"):
            await apb.write(0, value)
        assert outputs(dut) == wanted, hex(value)


@cocotb.test()
async def everything_else_does_nothing(dut):
    apb = await Apb.start(dut)
    draw = random.Random(1)
    near = [command ^ 1 << bit for command in (PASS, FAIL, RESET) for bit in range(16)]
    for value in (*near, PASS << 16, *(draw.getrandbits(32) for _ in range(200))):
        if value & 0xFFFF in (PASS, FAIL, RESET):
            continue
        await apb.write(0, value)
        assert outputs(dut) == (0, 0, 0), hex(value)
    for value in (PASS, FAIL, RESET):
        await apb.write(4, value)
        assert await apb.read(0) == 0
    assert outputs(dut) == (0, 0, 0)
