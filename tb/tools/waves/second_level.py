"""What docs/mmu.md shows of the level-2 cache: a hit, a miss, and a line that was read ahead."""

import cocotb
from cocotb.triggers import RisingEdge

from tools.waves import rows
from tools.waves.rows import Act, Scenario, value
from unit.cache.l2_bench import L2Bench, bench, line

LATENCY = 4  # cycles from an address that memory took to the word that is wanted first
WORDS = 2  # of a read
SHOWN = 3  # cycles after its last word
LOW = 0xFFF  # of what has 32 bits

AR = value("above.ar", "above_araddr", "above_arvalid", mask=LOW)
STATE = value("state", "state_1_string")
ASKED = value("below.ar", "below_araddr", "below_arvalid", mask=LOW)
ASKED_ID = value("below.ar.id", "below_arid", "below_arvalid")
COMES = value("below.r.id", "below_rid", "below_rvalid")
R = value("above.r", "above_rdata", "above_rvalid", mask=LOW)


def read(address: int) -> Act:
    async def play(b: L2Bench) -> None:
        burst = b.send(address, WORDS)
        while len(burst.at) < WORDS:
            await RisingEdge(b.dut.clk)
        for _ in range(SHOWN):
            await RisingEdge(b.dut.clk)

    return play


SCENARIOS = {
    "l2-hit": Scenario("Level 2: a read that hits", (AR, STATE, R), read(line(8)), read(line(8))),
    "l2-miss": Scenario(
        "Level 2: a read that misses, and the next line",
        (AR, STATE, ASKED, ASKED_ID, COMES, R),
        read(line(8)),
    ),
    "l2-ahead": Scenario(
        "Level 2: a read of the line that was read ahead",
        (AR, STATE, ASKED, R),
        read(line(9)),
        read(line(8)),
    ),
}


@cocotb.test()
async def record(dut):
    b = await bench(dut)
    b.latency = LATENCY

    async def empty() -> tuple[L2Bench]:
        await b.reset()
        await b.drain()
        return (b,)

    await rows.record(dut, SCENARIOS, empty)
