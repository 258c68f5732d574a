"""Instruction cache: latency, faults, aliases, invalidation, and random fetches."""

import cocotb
from cocotb.triggers import with_timeout

from drivers.signals import EXECUTE
from drivers.started import bench_test
from support.on import On
from support.seed import run_seed
from unit.cache import geometry
from unit.cache.agents import BUS_ERROR, Translation
from unit.cache.bench import FetchBench
from unit.cache.memory import LOWMEM, PERIPHERAL

RUNS = [On("l1fetch:teaching"), On("l1fetch:ulx3s", rare=True)]

GEO = geometry.current()
PAGES = 0x4000_0000


@bench_test(FetchBench)
async def hits_take_one_cycle_and_one_is_accepted_each_cycle(b):
    """A fetch that hits is answered in the cycle after its command, sustained."""
    miss = await b.fetch(LOWMEM)
    warm = await b.fetch(LOWMEM + GEO.line)
    cocotb.log.info("fill %d cycles", warm.latency)
    assert miss.value == b.memory.word(LOWMEM)
    assert warm.latency <= GEO.line // 4 + 10
    requests = [b.send(LOWMEM + 4 * i) for i in range(GEO.line // 2)]
    await requests[-1].done.wait()
    assert [r.latency for r in requests] == [1] * len(requests)
    assert requests[-1].accepted - requests[0].accepted == len(requests) - 1
    assert [r.value for r in requests] == [b.memory.word(r.va) for r in requests]
    await b.settle()
    assert b.counts == {"access": 2 + len(requests), "miss": 2}
    assert all(access == EXECUTE for _, access, _ in b.translation.asked)


@bench_test(FetchBench)
async def words_are_there_as_they_come(b):
    """The wanted word comes first; what follows is fetched while the line is filled, at the pace of
    the bus, also around its end; so is what was in the cache before."""
    beats = GEO.line // 4
    cold = [LOWMEM + GEO.line * n for n in range(6)]
    warm = await b.fetch(cold[0])
    for line, offset in ((cold[1], 0), (cold[2], GEO.line - 4), (cold[3], GEO.line // 2)):
        await b.settle(GEO.line)
        requests = [b.send(line + (offset + 4 * i) % GEO.line) for i in range(beats)]
        await requests[-1].done.wait()
        cocotb.log.info("first word after %d cycles", requests[0].latency)
        assert requests[0].latency <= 12
        assert [r.value for r in requests] == [b.memory.word(r.va) for r in requests]
        ends = [r.accepted + r.latency - requests[0].accepted for r in requests]
        assert ends[-1] <= requests[0].latency + beats + 4
    await b.settle(GEO.line)
    missing = b.send(cold[4])
    others = [b.send(cold[0] + 4 * i) for i in range(beats)]
    second = b.send(cold[5])
    await second.done.wait()
    assert [r.latency for r in others] == [1] * beats
    assert (missing.value, second.value) == (b.memory.word(cold[4]), b.memory.word(cold[5]))
    assert warm.value == others[0].value == b.memory.word(cold[0])
    assert b.counts["miss"] == len(cold)


@bench_test(FetchBench)
async def every_fetch_is_answered_after_a_fault_too(b):
    """Nothing is dropped: the CPU counts its answers. A fault is no bus request."""
    b.translation.translate = lambda va, access, untranslated: (
        Translation(fault=0b000110)
        if va & 0xF000_0000 == 0x7000_0000
        else Translation(va & 0xFFFF_FFFF)
    )
    await b.fetch(LOWMEM)
    await b.settle(GEO.line)  # the fill ends
    b.memory.reads.clear()
    requests = [b.send(0x7000_0000 if i % 3 == 0 else LOWMEM + 4) for i in range(12)]
    await requests[-1].done.wait()
    for i, r in enumerate(requests):
        assert r.fault == (0b000110 if i % 3 == 0 else None) and r.latency == 1
        if i % 3:
            assert r.value == b.memory.word(LOWMEM + 4)
    for outside in (PERIPHERAL, 0, 0x5000_0000, 0xC000_0000):
        assert (await b.fetch(outside)).fault == BUS_ERROR
    assert not b.memory.reads


@bench_test(FetchBench)
async def an_error_in_any_one_beat_spoils_the_line(b):
    """The word that is wanted is answered when it was good, and is not kept."""
    beats = range(GEO.line // 4)
    for beat in beats:
        b.memory.refuse_beat = {LOWMEM + 4 * beat}
        for word in (beat, beat ^ 1, beat ^ 1):
            r = await b.fetch(LOWMEM + 4 * word)
            assert r.fault == (BUS_ERROR if word == beat else None), f"word {word}, beat {beat}"
            assert r.fault or r.value == b.memory.word(LOWMEM + 4 * word)
            await b.settle(2 * len(beats))
    assert b.counts["miss"] == 3 * len(beats)
    b.memory.refuse_beat = set()
    for beat in beats:
        assert (await b.fetch(LOWMEM + 4 * beat)).value == b.memory.word(LOWMEM + 4 * beat)


@bench_test(FetchBench)
async def invalidation_lets_new_code_be_seen(b):
    """Old words until the invalidation, new ones after it; also for a fetch that waits for its
    translation meanwhile.
    """
    lines = [LOWMEM + GEO.way_bytes * w + GEO.line * s for w in range(GEO.ways) for s in range(4)]
    for line in lines:
        await b.fetch(line)
    old = b.memory.word(lines[0])
    for line in lines:
        b.memory.store(line, line ^ 0x5555)
    assert (await b.fetch(lines[0])).value == old
    waiting = {"on": True}
    b.translation.translate = lambda va, access, untranslated: Translation(
        va & 0xFFFF_FFFF, delay=lambda: waiting["on"]
    )
    parked = b.send(lines[0])
    await b.settle(GEO.line)  # the last fill ends
    begin = b.cycle
    await with_timeout(b.maintain.begin(False, True).wait(), 20, "us")
    assert b.cycle - begin <= GEO.sets + 8
    waiting["on"] = False
    await parked.done.wait()
    assert parked.value == lines[0] ^ 0x5555
    for line in lines:
        assert (await b.fetch(line)).value == line ^ 0x5555


@cocotb.test()
async def random_fetches(dut):
    """Random pages, faults, delays, bus pauses and invalidations against memory."""
    seed = run_seed()
    b = await FetchBench.start(dut, seed, pause=0.3)
    rng = b.random
    frames = [LOWMEM + 0x1_1000 * i for i in range(GEO.ways + 3)]

    def translate(va, access, untranslated):
        page = va >> 12 & 0x1F
        delay = rng.choice((0, 0, 0, 2, 30))
        if page == 31:
            return Translation(fault=0b000111, delay=delay)
        return Translation(frames[page % len(frames)] | va & 0xFFF, delay=delay)

    def check(r):
        page = r.va >> 12 & 0x1F
        assert (r.fault == 0b000111) == (page == 31)
        if page != 31:
            assert r.value == b.memory.word(frames[page % len(frames)] | r.va & 0xFFF)

    b.translation.translate = translate
    b.cpu.on_answer = check
    b.cpu.idle = lambda: rng.random() < 0.2
    offsets = rng.sample(range(0, 4096, GEO.line), 3)
    for n in range(2000):
        va = PAGES + 0x1000 * rng.randrange(32) + rng.choice(offsets) + 4 * rng.randrange(4)
        for i in range(rng.randrange(1, 4)):
            b.send(va + 4 * i)
        if len(b.cpu.queue) > 8:
            await with_timeout(b.cpu.queue[0].done.wait(), 100, "us")
        if n % 500 == 499:
            await with_timeout(b.maintain.begin(False, True).wait(), 200, "us")
    while b.cpu.busy:
        await b.settle(20)
    assert b.counts["miss"] > 50
