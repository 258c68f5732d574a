"""The programs of tb/unit/cpu/asm, each without and with stalls on the ports. Those of its folders
are for a core that lacks what the folder names.

A program checks itself and stores its verdict to tohost: 1, or the number of the check that failed.
"""

import cocotb

from drivers.started import bench_test
from support.on import On
from unit.cpu import program
from unit.cpu.bench import Bench


def names_of(name: str) -> list[str]:
    test = name.replace("/", "_")
    return [test, f"{test}_with_stalls"]


WHOLE, LESS = ([n for n in program.names() if ("/" in n) == less] for less in (False, True))
RUNS = [
    On(unit, tests=[test for name in names for test in names_of(name)], rare=names is LESS)
    for unit, names in (("cpubench:teaching", WHOLE), ("cpubench:minimal", LESS))
]


def directed(name: str, stalls: bool):
    async def run(bench):
        await bench.load(program.words(name))
        code = await bench.run(stalls=stalls)
        if code == 1:
            return
        await bench.load(program.words(name))  # once more, to see how it came to this
        for retired in (await bench.trace(stalls=stalls))[-30:]:
            cocotb.log.info(f"{retired}")
        raise AssertionError(f"{name}.S: check {code >> 1} failed")

    run.__name__ = run.__qualname__ = names_of(name)[stalls]
    run.__doc__ = program.description(name)
    return bench_test(Bench)(run)


for _name in (*WHOLE, *LESS):
    for _stalls, _test in enumerate(names_of(_name)):
        globals()[_test] = directed(_name, stalls=bool(_stalls))
