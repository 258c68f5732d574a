"""Commands without a pause on both ports, beside AT, invalidations, tables that change in place and
registers that change under walks: nothing here waits for anything else to end.

SEED: another run; COUNT: translations of each world. A failure prints what
happened last."""

import os
import random
from collections import Counter, deque
from dataclasses import replace

import cocotb

from drivers.lockstep import MmuBench, describe, same
from drivers.ports import AddressTranslateSide
from model import Access, Kind, Memory, Registers
from model.registers import WXN
from model.walk import par
from support.on import On
from support.seed import run_seed
from unit.mmu.machine import GRANULES
from unit.mmu.oracle import Oracle, Waiting
from unit.mmu.pipe import Pipe
from unit.mmu.world import World

RUNS = [
    On("mmu:vmsa48"),
    On("mmu:vmsa48_main", tests=["traffic_without_a_pause"]),
]

COUNT = int(os.environ.get("COUNT") or 0)
EVENTS = ("hits", "walks", "faults", "errors", "invalidations", "restarts", "moved tables",
          "contexts", "at")  # fmt: skip
MMU_ON, TBI0, E0PD0 = 1, 1 << 37, 1 << 55
# What software switches over and back without invalidation.
SWITCHES = (("sctlr", 0), ("sctlr", MMU_ON), ("tcr", E0PD0), ("sctlr", WXN), ("tcr", TBI0))
DATA_KINDS = (Kind.READ, Kind.WRITE, Kind.ATOMIC)
HANGS = 20_000  # cycles


class Traffic:
    """All that happens in one world. Every answer must be one that the [Oracle] allows."""

    def __init__(self, bench: MmuBench, world: World, pipes: list[Pipe]):
        self.bench, self.world, self.pipes, self.rng = bench, world, pipes, world.rng
        self.at = AddressTranslateSide(bench.dut)
        self.contexts = {
            (n, k): replace(s.registers, **{name: getattr(s.registers, name) ^ bit})
            for n, s in enumerate(world.spaces)
            for k, (name, bit) in enumerate(SWITCHES)
        }
        self.context = (0, 0)
        self.oracle = Oracle(bench.features, world.memory, self.contexts[self.context])
        self.switched = 0  # cycle of the last change of registers
        self.seen: Counter[str] = Counter()
        self.recent: deque[int] = deque(maxlen=3)  # addresses
        self.story = world.story

    async def run(self, count: int) -> Counter[str]:
        await self._prepare()
        while self.seen["answers"] < count or self.oracle.waiting or self.bench.inv.busy:
            await self.bench.step()
            self.at.edge()
            self._judge()
            self._invalidation_ends()
            ending = self.seen["answers"] >= count
            past = None
            if not ending:
                self._change_tables()
                past = self._change_registers()
            self._drive(past, ending)
            self.seen["restarts"] += int(self.bench.dut.io_events_walkRestart.value)
        return self.seen

    async def _prepare(self) -> None:
        bench, world = self.bench, self.world
        bench.use_memory(world.memory)
        bench.context(self.oracle.registers)
        await bench.invalidate_all()
        for _ in range(14):
            op = world.change()
            if op:
                await bench.invalidate(op)
                world.invalidated()

    def _judge(self) -> None:
        cycle, oracle = self.bench.cycle, self.oracle
        for pipe in self.pipes:
            answered = pipe.take()
            if answered is None:
                continue
            access, answer = answered
            waiting = oracle.end(pipe.name)
            self.seen["answers"] += 1
            self.seen["hits" if answer.cycles == 0 else "walks"] += 1
            self.seen["faults"] += answer.fault
            self.seen["errors"] += answer.fault and 0x14 <= answer.status <= 0x17
            self.story.append(f"{cycle} {pipe.name} {access.kind.name} el{access.el} "
                              f"{access.va:#x}: {answer}")  # fmt: skip
            if not any(same(answer, c.outcome) for c in waiting.candidates):
                self._fail(pipe.name, waiting, str(answer))
            if not answer.fault:
                self.recent.append(access.va)
            if not answer.fault and oracle.missing_update(waiting):
                self._fail(pipe.name, waiting, "access flag or dirty state is not in memory")
        if "at" in oracle.waiting and not self.at.busy:
            waiting = oracle.end("at")
            self.seen["at"] += 1
            self.story.append(f"{cycle} AT {waiting.access.va:#x}: {self.at.par:#x}")
            if all(self.at.par != par(c.outcome) for c in waiting.candidates):
                self._fail("at", waiting, f"PAR {self.at.par:#x}")
        for name, waiting in oracle.waiting.items():
            if cycle - waiting.since > HANGS:
                self._fail(name, waiting, "hangs")

    def _fail(self, name: str, waiting: Waiting, what: str) -> None:
        print(*self.story, sep="\n", flush=True)
        allowed = [f"{describe(c.outcome)}{' (old)' * c.old}" for c in waiting.candidates]
        raise AssertionError(
            f"cycle {self.bench.cycle}, {name} {waiting.access}: {what}; allowed {allowed}"
        )

    def _invalidation_ends(self) -> None:
        if self.oracle.invalidating and not self.bench.inv.busy:
            self.story.append(f"{self.bench.cycle} invalidation done")
            self.oracle.invalidated(self.world.covered)
            self.world.invalidated()

    def _change_tables(self) -> None:
        """One change, and the invalidation that it owes before the next one."""
        if self.bench.inv.busy or self.rng.random() >= 0.02:
            return
        memory = self.world.memory
        before = Memory(memory.words, memory.errors)
        before.swap_errors = set(memory.swap_errors)
        self.world.wanted = [w.access.va for w in self.oracle.waiting.values()]
        op = self.world.change()
        self.oracle.tables_changed(before, op is not None)
        if op:
            self.bench.inv.request(op, self.bench.cycle)
            self.seen["invalidations"] += 1
            self.seen["moved tables"] += "move" in self.story[-1]

    def _settled(self) -> bool:
        return self.bench.cycle - self.switched > 4

    def _change_registers(self) -> Registers | None:
        """Another address space, or one switch over or back; returns the registers until now. None
        of it while AT is under way, which software does not do either."""
        if not self._settled() or self.at.busy or self.rng.random() >= 0.02:
            return None
        space, switch = self.context
        if self.rng.random() < 0.5:
            space = 1 - space
        else:
            switch = 0 if switch else self.rng.randrange(1, len(SWITCHES))
        past, self.context = self.oracle.registers, (space, switch)
        self.switched = self.bench.cycle
        self.story.append(f"{self.switched} context {self.context}")
        self.seen["contexts"] += 1
        self.bench.context(self.contexts[self.context])
        self.oracle.registers_changed(self.bench.registers)
        return past

    def _drive(self, past: Registers | None, ending: bool) -> None:
        cycle, rng, oracle = self.bench.cycle, self.rng, self.oracle
        again = 0.1 if past is None else 0.5
        for pipe in self.pipes:
            kind = Kind.EXECUTE if pipe.name == "fetch" else rng.choice(DATA_KINDS)
            following = Access(self._address(again), kind, rng.randrange(2), rng.random() < 0.3)
            fresh = pipe.drive(cycle, following, pause=ending)
            if fresh:
                oracle.begin(pipe.name, fresh, cycle, past)
        if not (ending or self.at.busy) and self._settled() and rng.random() < 0.01:
            kind = rng.choice((Kind.AT_READ, Kind.AT_WRITE))
            access = Access(self.world.address(), kind, rng.randrange(2), rng.random() < 0.3)
            self.at.request(access)
            oracle.begin("at", access, cycle, past)

    def _address(self, again: float) -> int:
        """Sometimes what was translated just now."""
        if self.recent and self.rng.random() < again:
            return self.rng.choice(self.recent)
        return self.world.address()


async def worlds(dut, count: int, number: int, readies: tuple, latencies: tuple) -> None:
    """`number` worlds of each granule. The memory port takes a command in one of `readies` of the
    cycles, and answers after one of `latencies`."""
    rng = random.Random(run_seed())
    bench = await MmuBench.start(dut)
    pipes = [Pipe(dut, "data", rng), Pipe(dut, "fetch", rng)]
    bench.data, bench.fetch = pipes
    total: Counter[str] = Counter()
    for granule in GRANULES * number:
        ready, latency = rng.choice(readies), rng.choice(latencies)
        bench.walk.ready = lambda share=ready: rng.random() < share
        bench.walk.latency = lambda choices=latency: rng.choice(choices)
        bench.walk.late = rng.random() < 0.5
        for pipe in pipes:
            pipe.rate = rng.choice((1.0, 0.8, 0.3))
        total += await Traffic(bench, World(rng, granule), pipes).run(COUNT or count)
    print(f"traffic: {dict(total)}", flush=True)
    rare = [name for name in EVENTS if total[name] < 20]
    assert COUNT or not rare, f"hardly or never: {rare} in {dict(total)}"


@cocotb.test()
async def traffic_without_a_pause(dut):
    """Memory that takes commands at once, or in half of the cycles."""
    await worlds(dut, 3000, 2, (1.0, 0.5), ((1,), (2,), (1, 2, 3), (1, 5, 30)))


@cocotb.test()
async def traffic_over_a_slow_port(dut):
    """Memory that takes a command so late that an invalidation begins and ends while a walk offers
    it."""
    await worlds(dut, 2000, 2, (0.04,), ((1,), (1, 2, 3)))
