"""WalkTurn with three ports at random, cycle by cycle against a model of a few lines."""

import random

from cocotb.triggers import FallingEdge, RisingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, start
from support.seed import run_seed

RUNS = [On("walkturn:teaching")]

PORTS = 3
CYCLES = 3000


class Bench(Pins):
    """Three ports that ask at random and a walker that is idle at random."""

    def __init__(self, dut):
        super().__init__(dut)
        self.rng = random.Random(run_seed())
        self.owner, self.orphan = 0, False
        self.drive(may_ask=[False] * PORTS, idle=False)

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        await start(dut)
        await RisingEdge(dut.clk)
        return bench

    def drive(self, *, may_ask, idle, asks=(True,) * PORTS, answered=(False,) * PORTS):
        self.may_ask, self.idle, self.answered = may_ask, idle, answered
        self.asks = [may and a for may, a in zip(may_ask, asks, strict=True)]
        self.put(walker_ready=int(idle))
        for port in range(PORTS):
            values = {"mayAsk": may_ask[port], "request_valid": self.asks[port],
                      "request_payload_va": 0x1000 + port, "answered": answered[port]}  # fmt: skip
            self.put(**{f"ports_{port}_{name}": int(value) for name, value in values.items()})

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
        assert self.get("walker_valid") == valid
        if valid:
            assert self.get("walker_payload_va") == 0x1000 + turn
        for port in range(PORTS):
            ready = self.idle and port == turn
            assert self.get(f"ports_{port}_request_ready") == ready
            owns = port == self.owner and not self.orphan
            assert self.get(f"ports_{port}_owns") == owns
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
