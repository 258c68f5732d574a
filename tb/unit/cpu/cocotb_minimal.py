"""The core of a configuration without Sv32 and without physical memory protection, on programs of
tb/unit/cpu/asm/without_NAME."""

import cocotb

from drivers.started import bench_test
from support.on import On
from unit.cpu import program
from unit.cpu.bench import Bench

RUNS = [On("cpubench:minimal")]


@cocotb.parametrize(name=["without_sv32/satp", "without_pmp/registers"])
@bench_test(Bench)
async def program_of_what_is_left_out(bench, name):
    await bench.load(program.words(name))
    code = await bench.run(stalls=False)
    assert code == 1, f"{name}: check {code >> 1} failed"
