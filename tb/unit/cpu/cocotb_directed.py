"""The programs of tb/unit/cpu/asm, each without and with stalls on the ports.

A program checks itself and stores its verdict to tohost: 1, or the number of the check that failed.
"""

import cocotb

from support.on import On
from unit.cpu import program
from unit.cpu.bench import Bench

RUNS = [On("cpubench:teaching")]


def directed(name: str, stalls: bool):
    async def run(dut):
        bench = await Bench.start(dut)
        await bench.load(program.words(name))
        code = await bench.run(stalls=stalls)
        if code == 1:
            return
        await bench.load(program.words(name))  # once more, to see how it came to this
        for retired in (await bench.trace(stalls=stalls))[-30:]:
            dut._log.info(f"{retired}")
        raise AssertionError(f"{name}.S: check {code >> 1} failed")

    run.__name__ = run.__qualname__ = f"{name}_with_stalls" if stalls else name
    run.__doc__ = program.description(name)
    return cocotb.test()(run)


for _name in program.names():
    globals()[_name] = directed(_name, stalls=False)
    globals()[f"{_name}_with_stalls"] = directed(_name, stalls=True)
