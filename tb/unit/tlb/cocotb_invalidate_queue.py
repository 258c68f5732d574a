"""The queue of posted invalidations at random, cycle by cycle against a list: order, payload, how
many it takes, and when all are complete."""

import random
from collections import deque

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle
from support.seed import run_seed

RUNS = [On("mmuip:teaching_dma", part="InvalidateQueue")]

PLACES = 4
CYCLES = 4000
FIELDS = {"kind": 3, "lastLevelOnly": 1, "operand": 64, "ds": 1}
SPARED = ("cpu", "devices")

Command = tuple[int, ...]  # the fields, then what is spared


def command(rng: random.Random) -> Command:
    kind = rng.randrange(6)
    return (kind, *(rng.getrandbits(w) for w in (*list(FIELDS.values())[1:], 1, 1)))


class Bench(Pins):
    LOW = ("sent_valid", "port_cmd_ready", "port_done")

    def __init__(self, dut):
        super().__init__(dut)
        self.waiting: deque[Command] = deque()  # taken, and not yet with the agents
        self.with_agents = False

    async def cycle(self, offered: Command | None, *, takes: bool, done: bool) -> bool:
        """Drives one cycle and holds it against the list; whether the command was taken. The agents
        have one at a time."""
        takes, done = takes and not self.with_agents, done and self.with_agents
        self.put(sent_valid=int(offered is not None), port_cmd_ready=int(takes),
                 port_done=int(done))  # fmt: skip
        if offered is not None:
            names = [f"command_{name}" for name in FIELDS] + [f"spared_{name}" for name in SPARED]
            self.put(**{f"sent_payload_{n}": v for n, v in zip(names, offered, strict=True)})
        await settle()
        has_place = len(self.waiting) < PLACES
        assert self.get("sent_ready") == has_place
        open_ = len(self.waiting) + self.with_agents
        assert self.get("open") == open_
        assert self.get("complete") == (open_ == 0 or (open_ == 1 and done))
        taken = offered is not None and has_place
        if taken:
            self.waiting.append(offered)
        assert self.get("port_cmd_valid") == bool(self.waiting)
        if self.waiting:
            shown = [self.get(f"port_cmd_payload_{name}") for name in FIELDS]
            shown += [self.get(f"spared_{name}") for name in SPARED]
            assert tuple(shown) == self.waiting[0], "not the oldest one, as it was sent"
        if done:
            self.with_agents = False
        if takes and self.waiting:
            self.waiting.popleft()
            self.with_agents = True
        await FallingEdge(self.dut.clk)
        return taken


@bench_test(Bench)
async def any_sender_and_any_agents(bench):
    """Every fullness is seen, and a command that waits stays until it is taken."""
    rng = random.Random(run_seed())
    fullness = set()
    offered = None
    for n in range(CYCLES):
        hurry = n // 500 % 2  # the sender is faster than the agents, then the other way round
        if offered is None and rng.random() < (0.9 if hurry else 0.2):
            offered = command(rng)
        taken = await bench.cycle(
            offered, takes=rng.random() < 0.5, done=rng.random() < (0.1 if hurry else 0.5)
        )
        fullness.add(len(bench.waiting) + bench.with_agents)
        if taken:
            offered = None
    assert fullness == set(range(PLACES + 2))


@bench_test(Bench)
async def the_fifth_waits_and_none_is_lost(bench):
    """Four places; agents that take nothing. The fifth is taken a cycle after the first one left,
    and all leave in their order, which the bench looks at."""
    rng = random.Random(5)
    sent = [command(rng) for _ in range(PLACES + 1)]
    for c in sent[:PLACES]:
        assert await bench.cycle(c, takes=False, done=False)
    for _ in range(20):
        assert not await bench.cycle(sent[-1], takes=False, done=False)
    assert not await bench.cycle(sent[-1], takes=True, done=False)
    assert await bench.cycle(sent[-1], takes=False, done=False)
    for _ in range(PLACES):
        await bench.cycle(None, takes=False, done=True)
        await bench.cycle(None, takes=True, done=False)
    await bench.cycle(None, takes=False, done=True)
    await bench.cycle(None, takes=True, done=True)
    assert not bench.waiting and not bench.with_agents
