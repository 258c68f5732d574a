"""A broadcast alone: agents that take and complete when they like, against what was sent."""

import random

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle
from support.seed import run_seed

RUNS = [On("mmuip:teaching_dma", part="InvalidateBroadcast")]

AGENTS = ("cpu", "devices")
CYCLES = 5000


class Agent:
    """Takes at random, and is done some cycles later."""

    def __init__(self, pins: Pins, name: str, rng: random.Random):
        self.pins, self.name, self.rng = pins, name, rng
        self.took: list[int] = []
        self.left: int | None = None  # cycles until it is done
        self.patience = 10

    def drive(self) -> None:
        self.ready = self.left is None and self.rng.random() < 0.4
        self.done = self.left == 0
        self.pins.put(**{f"{self.name}_cmd_ready": int(self.ready),
                         f"{self.name}_done": int(self.done)})  # fmt: skip

    def clock(self) -> None:
        """What the coming edge does."""
        if self.left is not None:
            self.left = None if self.done else self.left - 1
        if self.ready and self.pins.get(f"{self.name}_cmd_valid"):
            self.took.append(self.pins.get(f"{self.name}_cmd_payload_operand"))
            self.left = self.rng.randrange(self.patience)


class Bench(Pins):
    LOW = (*(f"{name}_{pin}" for name in AGENTS for pin in ("cmd_ready", "done")),
           *(f"spared_{name}" for name in AGENTS), "sender_cmd_valid", "sender_cmd_payload_kind",
           "sender_cmd_payload_lastLevelOnly", "sender_cmd_payload_ds")  # fmt: skip

    def __init__(self, dut):
        super().__init__(dut)
        self.rng = random.Random(run_seed())
        self.agents = {name: Agent(self, name, self.rng) for name in AGENTS}

    async def cycle(self) -> tuple[bool, bool]:
        """Whether the sender's command was taken, and whether it is told that one is done."""
        for agent in self.agents.values():
            agent.drive()
        await settle()
        taken = self.get("sender_cmd_valid") and self.get("sender_cmd_ready")
        done = self.get("sender_done")
        for agent in self.agents.values():
            agent.clock()
        await FallingEdge(self.dut.clk)
        return bool(taken), bool(done)

    async def send(self, operand: int, spared: set[str]) -> int:
        """One command, until it is done; nobody begins with the next before. The cycles from its
        acceptance to `done`."""
        before = {name: list(agent.took) for name, agent in self.agents.items()}
        self.put(sender_cmd_valid=1, sender_cmd_payload_operand=operand,
                 **{f"spared_{name}": int(name in spared) for name in AGENTS})  # fmt: skip
        taken = False
        for _ in range(500):
            taken, done = await self.cycle()
            assert not done, "done before it was accepted"
            if taken:
                break
        assert taken, "it is never accepted"
        self.put(sender_cmd_valid=1, sender_cmd_payload_operand=operand + 1)  # the next one
        for cycles in range(1, 500):
            busy = [name for name, agent in self.agents.items() if agent.left not in (None, 0)]
            taken, done = await self.cycle()
            assert not taken, "the next one is accepted before the last is done"
            for name, agent in self.agents.items():
                told = before[name] + ([] if name in spared else [operand])
                assert agent.took == told, f"{name} took {agent.took[-2:]}"
            assert done == (not busy), f"done is {done} while {busy} are busy"
            if done:
                self.put(sender_cmd_valid=0)
                return cycles
        raise AssertionError("it is never done")


@bench_test(Bench)
async def every_agent_is_told_and_waited_for(bench):
    """Any agent may be the last one to take it and the last one to be done. `done` comes in the
    cycle of the last agent that was told."""
    for n in range(CYCLES // 20):
        await bench.send(100 * n, set())


@bench_test(Bench)
async def who_is_spared_is_not_told(bench):
    """And is not waited for: of two, one, or both, in any order."""
    bench.agents["devices"].patience = 60
    longest = {}
    for n in range(CYCLES // 20):
        spared = {name for name in AGENTS if bench.rng.random() < 0.5}
        cycles = await bench.send(100 * n, spared)
        key = tuple(sorted(spared))
        longest[key] = max(longest.get(key, 0), cycles)
    assert longest["cpu", "devices"] == 1
    assert longest[("devices",)] < 12 < longest[("cpu",)]
