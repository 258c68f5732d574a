"""The core beside Unicorn's RISC-V on random programs: every instruction, and memory at the end."""

import os
import struct

import cocotb

from drivers.started import bench_test
from support.on import On
from support.seed import run_seed
from unit.cpu.bench import Bench
from unit.cpu.random_program import BASE, DATA, DATA_BYTES, TOHOST, RandomProgram
from unit.cpu.reference import Reference

RUNS = [On("cpubench:teaching")]

MEMORY_BYTES = 256 * 1024
FIRST_SEED = run_seed(1)
PROGRAMS = int(os.environ.get("PROGRAMS", "5"))
LENGTH = 3000


def compare(program: RandomProgram, seed: int, retired, stores: dict[int, int]) -> None:
    reference = Reference(BASE, MEMORY_BYTES, TOHOST)
    reference.write(BASE, struct.pack(f"<{len(program.words)}I", *program.words))
    reference.write(DATA, program.data)
    for n, r in enumerate(retired):
        where = f"seed {seed}, instruction {n}: {r}"
        assert r.pc == reference.pc, f"{where}: expected pc {reference.pc:#x}"
        cause = reference.step()
        if cause is not None:
            assert r.trap and r.cause == cause, f"{where}: expected trap {cause}"
            assert r.tval == reference.tval, f"{where}: expected tval {reference.tval:#x}"
            continue
        assert not r.trap, f"{where}: trap not expected"
        if r.rd != 0:
            expected = reference.register(r.rd)
            assert r.value == expected, f"{where}: expected {expected:#x}"
    memory = bytearray(program.data)
    for address, byte in stores.items():
        assert DATA <= address < DATA + DATA_BYTES, f"seed {seed}: stray store to {address:#x}"
        memory[address - DATA] = byte
    assert memory == reference.read(DATA, DATA_BYTES), f"seed {seed}: memory differs"


@cocotb.parametrize(stalls=[False, True])
@bench_test(Bench)
async def every_instruction_as_in_the_reference(bench, stalls):
    """A wrong result, a missed bypass, a skipped or repeated instruction, a wrong byte lane; with
    late ready and late answers on both ports, lost or doubled instructions."""
    first = FIRST_SEED + 1000 * stalls
    for seed in range(first, first + PROGRAMS):
        program = RandomProgram(seed, LENGTH)
        await bench.load(program.words)
        await bench.load(struct.unpack(f"<{DATA_BYTES // 4}I", program.data), DATA)
        retired = await bench.trace(stalls=stalls)
        cocotb.log.info(f"seed {seed}: {len(retired)} instructions, {bench.cycles} cycles")
        assert len(retired) > LENGTH // 2
        compare(program, seed, retired, bench.stores)
