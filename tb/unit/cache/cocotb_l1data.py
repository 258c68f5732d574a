"""Data cache: latency, bypass, faults and bus errors."""

from cocotb.triggers import with_timeout

from drivers.signals import ATOMIC, READ, WRITE
from drivers.started import bench_test
from unit.cache import geometry
from unit.cache.agents import BUS_ERROR, Op, Request, Translation
from unit.cache.bench import DataBench
from unit.cache.memory import HIGHMEM, LOWMEM, PERIPHERAL

RUNS = geometry.data_caches(lambda name: not geometry.wide(name))

GEO = geometry.current()
NO_ROOM = 0x4000_0000  # no window of the memory map


@bench_test(DataBench)
async def hits_take_one_cycle_and_one_is_accepted_each_cycle(b):
    """A load or store that hits is answered in the cycle after its command, sustained; one that
    misses when every colour was looked at and the line has come, a beat a cycle."""
    miss = await b.store(LOWMEM, 0)
    assert miss.latency <= GEO.colours + GEO.line // 4 + 12
    requests = []
    for i in range(64):
        va = LOWMEM + 4 * (i % (GEO.line // 4))
        requests.append(b.send(va, Op.STORE if i % 3 == 0 else Op.LOAD, data=i))
    await requests[-1].done.wait()
    assert [r.latency for r in requests] == [1] * 64
    assert requests[-1].accepted - requests[0].accepted == 63
    assert b.counts["miss"] == 1
    await b.settle()
    assert b.counts["access"] == 65


@bench_test(DataBench)
async def each_operation_asks_for_its_permission(b):
    """Read for loads, LR, clean and flush, write for stores, SC and invalidate, both for AMO."""
    wanted = dict.fromkeys(Op, READ) | dict.fromkeys((Op.STORE, Op.SC, Op.INVALIDATE), WRITE)
    wanted[Op.AMO] = ATOMIC
    for op, access in wanted.items():
        b.translation.asked.clear()
        await b.do(LOWMEM | 0x40, op)
        assert b.translation.asked == [(0xFFFF_FFFF_8000_0040, access, False)]
    b.translation.translate = lambda va, access, untranslated: Translation(
        fault=0b001011, wnr=access == WRITE
    )
    for op, access in wanted.items():
        r = await b.do(0x7000_0040, op)
        maintenance = op in (Op.CLEAN, Op.INVALIDATE, Op.FLUSH)
        assert r.fault == 0b001011 and r.wnr == (access == WRITE or maintenance)


@bench_test(DataBench)
async def uncached_access_is_one_beat_of_its_size(b):
    """Device and Non-cacheable accesses go to the bus one by one; no window, no request."""
    nc = LOWMEM + 0x5000
    b.translation.translate = lambda va, access, untranslated: Translation(
        va & 0xFFFF_FFFF, cacheable=va & 0xFFFF_FFFF != nc
    )
    for address in (PERIPHERAL, nc):
        b.memory.reads.clear()
        b.memory.writes.clear()
        await b.store(address, 0x11, size=0)
        assert await b.load(address) == b.memory.word(address)
        assert await b.load(address) & 0xFF == 0x11
        old = b.memory.word(address)
        r = await b.do(address, Op.AMO, data=1, funct=0)
        assert r.value == old and b.memory.word(address) == old + 1
        assert (await b.do(address, Op.LR)).value == old + 1
        assert (await b.do(address, Op.SC, data=7)).value == 0
        assert (await b.do(address, Op.SC, data=8)).value == 1
        assert b.memory.word(address) == 7
        assert b.memory.reads == [address] * 4
        assert b.memory.writes == [address] * 3
    await b.settle()
    assert len(b.trace.stores) == 6 and b.counts["access"] == 0
    b.memory.refuse_read.add(PERIPHERAL)
    b.memory.refuse_write.add(PERIPHERAL)
    for op in (Op.LOAD, Op.STORE, Op.LR, Op.AMO):
        r = await b.do(PERIPHERAL, op)
        assert r.fault == BUS_ERROR and r.wnr == (op in (Op.STORE, Op.AMO))
    b.memory.reads.clear()
    b.memory.writes.clear()
    for op in (Op.LOAD, Op.STORE, Op.LR, Op.SC, Op.AMO):
        r = await b.do(NO_ROOM, op)
        assert r.fault == BUS_ERROR and r.wnr == (op in (Op.STORE, Op.SC, Op.AMO))
    assert not b.memory.reads and not b.memory.writes


@bench_test(DataBench)
async def no_swap_slips_between_lr_and_sc(b):
    """SC right behind LR, and a swap by the walker at every distance from them, before and after:
    SC succeeds exactly if LR read what the swap wrote, or the swap read what SC wrote."""
    outcomes = {"before": 0, "between": 0, "after": 0}
    await b.load(LOWMEM)
    old, high = b.memory.word(LOWMEM), b.memory.word(LOWMEM + 4) << 32
    for gap in range(-6, 7):
        for apart in range(4):
            new, mine = old ^ 0x55, old ^ 0xAA
            swap = Request(LOWMEM, swap=True, expected=high | old, data=high | new)
            lr, *loads, sc = [
                Request(LOWMEM, Op.LR),
                *(Request(LOWMEM + 4) for _ in range(apart)),
                Request(LOWMEM, Op.SC, data=mine),
            ]
            first, second = (b.walker.queue, [swap]), (b.cpu.queue, [lr, *loads, sc])
            if gap < 0:
                first, second = second, first
            first[0].extend(first[1])
            await b.settle(1 + abs(gap))
            second[0].extend(second[1])
            await sc.done.wait()
            await swap.done.wait()
            await b.settle()
            now = await b.load(LOWMEM)
            won, read = sc.value == 0, swap.value & 0xFFFF_FFFF
            if lr.value == new:
                order, expected = "before", (True, old, mine)
            elif read == mine:
                order, expected = "after", (True, mine, mine)
            else:
                order, expected = "between", (False, old, new)
            assert (won, read, now) == expected, f"gap {gap}, {apart} loads: {order}"
            outcomes[order] += 1
            old = now
    assert all(outcomes.values()), f"not all orders were met: {outcomes}"


@bench_test(DataBench)
async def reset_invalidates_everything(b):
    """After a reset no line of the time before is found, dirty or not."""
    lines = [LOWMEM + GEO.line * i for i in range(GEO.sets)]
    for line in lines[:: max(1, GEO.sets // 16)]:
        await b.store(line, 0xDEAD)
    await b.settle(1)
    b.dut.reset.value = 1
    await b.settle(2)
    b.dut.reset.value = 0
    for line in lines[:: max(1, GEO.sets // 16)]:
        assert await with_timeout(b.load(line), 50, "us") == b.memory.word(line)
    assert not b.memory.writes


@bench_test(DataBench)
async def tags_hold_every_address_bit(b):
    """Lines that differ in one physical bit only are different lines (scenario f28, tag width)."""
    addresses = [HIGHMEM] + [HIGHMEM | 1 << bit for bit in range(6, 32)]
    addresses += [LOWMEM] + [LOWMEM | 1 << bit for bit in range(6, 30)]
    b.translation.translate = lambda va, access, untranslated: Translation(
        addresses[va >> 16 & 0xFF] | va % 4096
    )
    for i, address in enumerate(addresses):
        va = 0x4000_0000 | i << 16 | address % 4096
        assert await b.load(va) == b.memory.word(address)
