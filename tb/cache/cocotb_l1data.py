"""Data cache: directed tests of each rule of its ports."""

import cocotb

from cache.bench import LOAD, STORE, DataBench
from cache.memory import LINE, LOWMEM


@cocotb.test()
async def hits_take_one_cycle_and_one_is_accepted_each_cycle(dut):
    """A load or store that hits is answered in the cycle after its command, sustained."""
    b = await DataBench.start(dut)
    await b.load(LOWMEM)
    requests = []
    for i in range(64):
        va = LOWMEM + 4 * (i % 16)
        requests.append(b.send(va, STORE if i % 3 == 0 else LOAD, data=i))
    await requests[-1].done.wait()
    assert [r.latency for r in requests] == [1] * 64
    assert requests[-1].accepted - requests[0].accepted == 63
    assert await b.load(LOWMEM + LINE) == b.memory.word(LOWMEM + LINE)
