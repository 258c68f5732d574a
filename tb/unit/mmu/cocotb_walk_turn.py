"""WalkTurn with three ports at random, cycle by cycle against a model of a few lines."""

import random

from cocotb.triggers import FallingEdge, RisingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import start
from support.seed import run_seed

RUNS = [On("walkturn:teaching")]

PORTS = 3
CYCLES = 3000


class Bench:
    """Three ports that ask at random and a walker that is idle at random."""

    def __init__(self, dut):
        self.dut = dut
        self.rng = random.Random(run_seed())
        self.owner, self.orphan = 0, False
        self.may_ask, self.asks, self.idle = [False] * PORTS, [False] * PORTS, False

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        bench.drive(may_ask=[False] * PORTS, idle=False)
        await start(dut)
        await RisingEdge(dut.clk)
        return bench

    def pin(self, port: int, name: str):
        return getattr(self.dut, f"io_ports_{port}_{name}")

    def drive(self, *, may_ask, idle, asks=None, answered=None):
        self.may_ask, self.idle = may_ask, idle
        self.asks = [may and a for may, a in zip(may_ask, asks or [True] * PORTS, strict=True)]
        self.answered = answered or [False] * PORTS
        self.dut.io_walker_ready.value = int(idle)
        for port in range(PORTS):
            self.pin(port, "mayAsk").value = int(may_ask[port])
            self.pin(port, "request_valid").value = int(self.asks[port])
            self.pin(port, "request_payload_va").value = 0x1000 + port
            self.pin(port, "answered").value = int(self.answered[port])

    @property
    def turn(self) -> int | None:
        """The first behind the owner that may ask."""
        behind = [(self.owner + 1 + i) % PORTS for i in range(PORTS)]
        return next((port for port in behind if self.may_ask[port]), None)

    async def check(self) -> None:
        """One cycle: what the unit says, and what it remembers."""
        await FallingEdge(self.dut.clk)
        turn = self.turn
        valid = turn is not None and self.asks[turn]
        assert int(self.dut.io_walker_valid.value) == valid
        if valid:
            assert int(self.dut.io_walker_payload_va.value) == 0x1000 + turn
        for port in range(PORTS):
            ready = self.idle and port == turn
            assert int(self.pin(port, "request_ready").value) == ready
            owns = port == self.owner and not self.orphan
            assert int(self.pin(port, "owns").value) == owns
        if self.idle:
            self.orphan = turn is not None and self.answered[turn]
        elif self.answered[self.owner]:
            self.orphan = True
        if self.idle and turn is not None:
            self.owner = turn
        await RisingEdge(self.dut.clk)


@bench_test(Bench)
async def as_the_model_says(bench):
    flag = bench.rng.random
    for _ in range(CYCLES):
        bench.drive(
            may_ask=[flag() < 0.6 for _ in range(PORTS)],
            asks=[flag() < 0.5 for _ in range(PORTS)],
            answered=[flag() < 0.2 for _ in range(PORTS)],
            idle=flag() < 0.4,
        )
        await bench.check()


@bench_test(Bench)
async def all_that_ask_always_take_turns(bench):
    order = []
    for cycle in range(12):
        bench.drive(may_ask=[True] * PORTS, idle=cycle % 2 == 0)
        if bench.idle:
            order.append(bench.turn)
        await bench.check()
    assert order == [1, 2, 0, 1, 2, 0]


@bench_test(Bench)
async def a_walk_belongs_to_nobody_after_its_command_was_answered(bench):
    """Until the walker is idle again: the next walk is of whoever asks for it."""
    bench.drive(may_ask=[False, True, False], idle=True)
    await bench.check()
    bench.drive(may_ask=[False] * 3, idle=False, answered=[False, True, False])
    await bench.check()
    assert bench.orphan
    bench.drive(may_ask=[True, False, False], idle=False)
    await bench.check()
    bench.drive(may_ask=[False, True, False], idle=True)
    await bench.check()
    bench.drive(may_ask=[False] * 3, idle=False)
    await bench.check()
    assert not bench.orphan and bench.owner == 1
