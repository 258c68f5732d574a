"""The buffer in front of the data cache: order, nothing lost, nothing late, and what a fault
drops."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import Pins, settle

RUNS = [On("cacheip:teaching", part="CommandBuffer")]

COMMAND = {"va": 32, "op": 3, "size": 2, "data": 32, "amo": 5}
PRIVILEGE = ("el1", "pan", "mxr", "untranslated")
ANSWER = {"data": 32, "fault_status": 6, "fault_wnr": 1, "fault_dirty": 1}
FIELDS = [*COMMAND, *(f"privilege_{name}" for name in PRIVILEGE)]


class Bench(Pins):
    """Plays a cycle a time; `queue` are the commands that are inside."""

    def __init__(self, dut, seed: int):
        super().__init__(dut)
        self.draw, self.queue = random.Random(seed), []
        self.offered = None

    def command(self) -> dict[str, int]:
        draw = self.draw
        fields = {name: draw.getrandbits(width) for name, width in COMMAND.items()}
        return fields | {f"privilege_{name}": draw.getrandbits(1) for name in PRIVILEGE}

    async def cycle(self, *, offers: float, takes: float, faults: float) -> None:
        draw = self.draw
        if self.offered is None and draw.random() < offers:
            self.offered = self.command()
            self.put(**{f"above_cmd_payload_{n}": v for n, v in self.offered.items()})
        self.put(above_cmd_valid=self.offered is not None)
        answer = {name: draw.getrandbits(width) for name, width in ANSWER.items()}
        fault = draw.random() < faults
        answers = fault or draw.random() < 0.3
        self.put(below_rsp_valid=answers, below_rsp_payload_fault_valid=fault,
                 **{f"below_rsp_payload_{n}": v for n, v in answer.items()})  # fmt: skip
        ready = []
        for taking in (True, False) if draw.random() < takes else (False, True):
            self.put(below_cmd_ready=not taking)
            await settle()
            ready.append(self.get("above_cmd_ready"))
        assert ready[0] == ready[1], "ready above hangs on ready below"
        self.look(answers, fault, answer)
        await FallingEdge(self.dut.clk)

    def look(self, answers: bool, fault: bool, answer: dict[str, int]) -> None:
        assert self.get("above_rsp_valid") == answers
        assert {n: self.get(f"above_rsp_payload_{n}") for n in answer} == answer
        assert self.get("above_rsp_payload_fault_valid") == fault
        room = not self.queue
        assert bool(self.get("above_cmd_ready")) == room
        if self.offered is not None and room:
            self.queue.append(self.offered)
            self.offered = None
        assert bool(self.get("below_cmd_valid")) == bool(self.queue), "a command is late"
        if self.queue:
            below = {n: self.get(f"below_cmd_payload_{n}") for n in FIELDS}
            assert below == self.queue[0]
            if self.get("below_cmd_ready"):
                self.queue.pop(0)
        if fault:
            self.queue.clear()
            if self.draw.random() < 0.5:
                self.offered = None  # what is offered beside a fault may be withdrawn


@cocotb.test()
async def commands_pass_in_order(dut):
    for seed, (offers, takes) in enumerate(((1, 1), (1, 0.3), (0.3, 1), (0.6, 0.6))):
        b = await Bench.start(dut, seed)
        for _ in range(400):
            await b.cycle(offers=offers, takes=takes, faults=0)


@cocotb.test()
async def a_fault_drops_what_waits(dut):
    for seed, takes in enumerate((0.1, 0.5, 0.9)):
        b = await Bench.start(dut, seed)
        for _ in range(600):
            await b.cycle(offers=0.8, takes=takes, faults=0.2)
