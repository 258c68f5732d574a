"""Lets the MMU walk, and notes what came of it."""

import cocotb

from drivers.lockstep import MmuBench
from labs.hardware.notes import note, plan
from model import Access, Memory, Registers


@cocotb.test()
async def play(dut):
    """A step of the plan has registers, words of memory, and addresses. Of each address is noted
    the status of its fault, or None, where it led to, and which descriptors were read."""
    bench, noted = await MmuBench.start(dut), []
    for step in plan():
        bench.use_memory(Memory({int(address): word for address, word in step["words"].items()}))
        bench.context(Registers(**step["registers"]))
        for va in step["addresses"]:
            await bench.invalidate_all()
            bench.walk.reads.clear()
            try:
                answer = await bench.translate(Access(va))
            except AssertionError:  # it walks for ever
                return note([*noted, None])
            reads = [read.address for read in bench.walk.reads]
            noted.append([answer.status if answer.fault else None, answer.pa, reads])
    note(noted)
