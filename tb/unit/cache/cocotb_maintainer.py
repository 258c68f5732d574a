"""Sequencer of whole-cache maintenance: which cache is told what, in which order, and who hears of
the end."""

import itertools

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle

RUNS = [On("cacheip:teaching", part="Maintainer")]

PORTS = ("fence", "registers")
CACHES = ("data", "fetch")


class Bench(Pins):
    """Two caches that take `takes` cycles each. `told`: what they did, as (cache, clean,
    invalidate)."""

    def __init__(self, dut, takes: int = 3):
        super().__init__(dut)
        self.takes, self.told = takes, []
        self.waits = dict.fromkeys(CACHES, 0)

    async def cycle(self) -> set[str]:
        """Plays the caches for a cycle; who is told that it is done."""
        active = [c for c in CACHES if self.get(f"{c}_cmd_valid")]
        assert len(active) < 2, "one cache at a time"
        for cache in CACHES:
            self.waits[cache] = self.waits[cache] + 1 if cache in active else 0
            done = self.waits[cache] == self.takes
            self.put(**{f"{cache}_done": done, f"{cache}_cmd_ready": done})
            if done:
                fields = (self.get(f"{cache}_cmd_payload_{f}") for f in ("clean", "invalidate"))
                self.told.append((cache, *fields))
                self.waits[cache] = 0
        await settle()
        finished = {port for port in PORTS if self.get(f"{port}_done")}
        assert finished == {port for port in PORTS if self.get(f"{port}_cmd_ready")}
        await FallingEdge(self.dut.clk)
        return finished

    def ask(self, port: str, clean=0, invalidate=0, instruction=None) -> None:
        fields = {"clean": clean, "invalidate": invalidate}
        if instruction is not None:
            fields["instructionCache"] = instruction
        self.put(**{f"{port}_cmd_payload_{name}": value for name, value in fields.items()})
        self.put(**{f"{port}_cmd_valid": 1})

    async def until_done(self, *ports: str) -> list[str]:
        """In which order they hear of it; each takes its request away then."""
        order = []
        for _ in range(60):
            for port in await self.cycle():
                order.append(port)
                self.put(**{f"{port}_cmd_valid": 0})
            if len(order) == len(ports):
                break
        for _ in range(8):
            assert not await self.cycle(), "done is one cycle long"
        return order


@cocotb.test()
async def what_registers_ask_for(dut):
    """A clean of the instruction cache alone is nothing to do."""
    for takes, clean, invalidate, instruction in itertools.product((1, 4), (0, 1), (0, 1), (0, 1)):
        b = await Bench.start(dut, takes)
        b.ask("registers", clean, invalidate, instruction)
        assert await b.until_done("registers") == ["registers"]
        if not instruction:
            assert b.told == [("data", bool(clean), bool(invalidate))]
        else:
            assert b.told == ([("fetch", False, True)] if invalidate else [])


@cocotb.test()
async def a_fence_cleans_data_and_then_drops_instructions(dut):
    """Whatever its fields say."""
    for clean, invalidate in itertools.product((0, 1), (0, 1)):
        b = await Bench.start(dut)
        b.ask("fence", clean, invalidate)
        assert await b.until_done("fence") == ["fence"]
        assert b.told == [("data", True, False), ("fetch", False, True)]


@bench_test(Bench)
async def a_fence_goes_first_and_overtakes_nothing_under_way(b):
    b.ask("registers", 1, 1, 0)
    b.ask("fence")
    assert await b.until_done("fence", "registers") == ["fence", "registers"]
    drop = ("data", True, True)
    fence = [("data", True, False), ("fetch", False, True)]
    assert b.told == [*fence, drop]
    b = await Bench.start(b.dut, takes=6)
    b.ask("registers", 1, 1, 0)
    for _ in range(3):
        await b.cycle()
    b.ask("fence")
    assert await b.until_done("registers", "fence") == ["registers", "fence"]
    assert b.told == [drop, *fence]
