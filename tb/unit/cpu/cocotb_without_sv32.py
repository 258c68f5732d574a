"""The core of a configuration without Sv32, on programs of tb/unit/cpu/asm/without_sv32."""

import cocotb

from unit.cpu import program
from unit.cpu.bench import Bench


@cocotb.test()
async def satp_is_zero(dut):
    bench = await Bench.start(dut)
    await bench.load(program.words("without_sv32/satp"))
    code = await bench.run(stalls=False)
    assert code == 1, f"check {code >> 1} failed"
