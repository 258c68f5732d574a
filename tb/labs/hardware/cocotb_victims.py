"""Plays uses and clears of sets to the VictimChooser, and notes the victim after each."""

import cocotb
from cocotb.triggers import FallingEdge

from labs.hardware.notes import note, plan
from support.parts import Pins, settle, start


@cocotb.test()
async def play(dut):
    """A step of the plan is (set, way); way None: the set is cleared."""
    if not hasattr(dut, "clk"):  # it remembers nothing, so nothing changes
        await settle()
        return note([Pins(dut).get("victim")] * len(plan()))
    await start(dut, io_use_valid=0, io_use_payload_set=0, io_use_payload_ways=0,
                io_clear_valid=0, io_clear_payload=0, io_set=0, io_pick=0)  # fmt: skip
    pins, victims = Pins(dut), []
    for number, way in plan():
        if way is None:
            pins.put(clear_valid=1, clear_payload=number)
        else:
            pins.put(use_valid=1, use_payload_set=number, use_payload_ways=1 << way)
        await FallingEdge(dut.clk)
        pins.put(use_valid=0, clear_valid=0, set=number)
        await settle()
        victims.append(pins.get("victim"))
    note(victims)
