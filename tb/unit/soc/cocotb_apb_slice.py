"""A slice between an APB3 master and its slaves: each transfer arrives once, as it was sent, by
the rules of the protocol, and its answer comes back."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from support.apb import Apb
from support.on import On
from support.parts import Pins, settle, start

RUNS = [On("simsoc:teaching", part="ApbSlice")]

FIELDS = ("PADDR", "PWRITE", "PWDATA")


class Slave(Pins):
    """Answers after as many cycles as it is told; `seen` are the transfers that it completed."""

    def __init__(self, dut, draw: random.Random, most: int):
        super().__init__(dut, "io_below")
        self.draw, self.most = draw, most
        self.seen, self.answers = [], []

    async def run(self) -> None:
        """Protocol: PENABLE comes a cycle after PSEL, and nothing changes until PREADY."""
        setup, waits = None, 0
        while True:
            select, enable = self.get("PSEL"), self.get("PENABLE")
            transfer = tuple(self.get(name) for name in FIELDS)
            ready = False
            if not select:
                assert not enable
                assert setup is None, "PSEL went before PREADY"
            elif setup is None:
                assert not enable, "no cycle of setup"
                setup, waits = transfer, self.draw.randint(0, self.most)
            else:
                assert enable, "PENABLE must follow"
                assert transfer == setup, "the transfer changed"
                ready = waits == 0
                waits -= 1
            answer = self.draw.getrandbits(32), self.draw.getrandbits(1)
            self.put(PREADY=ready, PRDATA=answer[0], PSLVERROR=answer[1])
            if ready:
                self.seen.append(setup)
                self.answers.append(answer)
                setup = None
            await settle()
            await FallingEdge(self.dut.clk)


async def bench(dut, seed: int, most: int):
    """Master, slave, and the task of the slave."""
    apb = Apb(dut, "io_above")
    await start(dut, io_below_PREADY=0, io_below_PRDATA=0, io_below_PSLVERROR=0)
    slave = Slave(dut, random.Random(seed), most)
    return apb, slave, cocotb.start_soon(slave.run())


@cocotb.test()
async def every_transfer_arrives_once_and_is_answered(dut):
    for seed, most in enumerate((0, 1, 7)):
        apb, slave, task = await bench(dut, seed, most)
        draw = random.Random(seed)
        for _ in range(100):
            address, write = draw.randrange(1 << 29) & ~3, draw.random() < 0.5
            data = draw.getrandbits(32) if write else None
            value, error, _ = await apb.access(address, data)
            assert len(slave.seen) == 1
            assert slave.seen.pop() == (address, int(write), data or 0)
            answer, fails = slave.answers.pop()
            assert error == bool(fails)
            assert write or value == answer
            for _ in range(draw.choice((0, 0, 1, 3))):
                await FallingEdge(dut.clk)
                assert not slave.seen, "a transfer of its own"
        task.cancel()


@cocotb.test()
async def a_transfer_takes_two_cycles_more(dut):
    """Than the two of APB3 with a slave that is ready at once; the first is before PENABLE."""
    apb, slave, _ = await bench(dut, 1, 0)
    for at in range(0, 64, 4):
        _, _, cycles = await apb.access(at)
        assert cycles == 1 + 2
    assert len(slave.seen) == 16
