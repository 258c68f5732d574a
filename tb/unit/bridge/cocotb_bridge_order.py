"""Order within an ID, across misses and faults, and freedom between IDs."""

import cocotb

from drivers.started import bench_test
from support.on import On
from unit.bridge.bench import slow_walks
from unit.bridge.bus import word
from unit.bridge.client import OKAY, SLVERR

RUNS = [On("devicemmu:vmsa48_nocache")]

PAGE, VA = 0x9000_0000, 0x1000_0000
MISS, FAULTY = VA + 0x100_0000, VA + 0x200_0000


@cocotb.parametrize(write=[False, True])
@bench_test(slow_walks)
async def a_hit_overtakes_a_miss_of_another_id(bench, write):
    miss = bench.client.access(write, MISS, [1, 2, 3], id=1)
    hit = bench.client.access(write, VA, [4], id=2)
    await bench.answer(hit)
    assert not miss.done
    await bench.answer(miss)
    assert miss.resp == hit.resp == OKAY
    if write:
        assert [[d for _, d, _ in s.data] for s in bench.bus.writes] == [[4], [1, 2, 3]]


@cocotb.parametrize(write=[False, True])
@bench_test(slow_walks)
async def slverr_keeps_its_place_in_the_order_of_its_id(bench, write):
    """Older answers come first, though the bus takes its time; newer ones later, though they
    hit. Another ID is not concerned."""
    bench.walk.latency = 2
    client = bench.client
    bench.bus.holds = True
    older, faulty = (
        [client.access(write, va + offset, [7] * 2, id=7) for offset in (0, 8)]
        for va in (VA, FAULTY)
    )
    newer, other = (client.access(write, VA + 8 * n, [n] * 2, id=5 + n) for n in (2, 3))
    await bench.cycles(300)
    assert client.finished[1:] == [], "all wait for the bus"
    assert len(bench.bus.seen) == 1 + 3, "the newer one is not even issued"
    bench.bus.holds = False
    await bench.all_answered()
    ours = [t for t in client.finished[1:] if t is not other]
    assert ours == [*older, *faulty, newer]
    assert [t.resp for t in ours] == [OKAY] * 2 + [SLVERR] * 2 + [OKAY]
    assert other.resp == OKAY


@bench_test(slow_walks)
async def slverr_of_another_id_does_not_wait_for_the_bus(bench):
    bench.walk.latency = 2
    bench.bus.holds = True
    hit, faulty = bench.client.read(VA, id=1), bench.client.read(FAULTY, id=2, length=256)
    await bench.answer(faulty)
    assert not hit.done and faulty.resps == [SLVERR] * 256
    bench.bus.holds = False
    await bench.all_answered()


@bench_test(slow_walks)
async def many_misses_wait_at_once(bench):
    """More than there is room for, of all IDs: each is answered, in the order of its ID."""
    bench.walk.latency = 30
    client = bench.client
    transfers = []
    for n in range(40):
        va = (VA, MISS, FAULTY)[n % 3] + 4 * n
        transfers.append(client.read(va, id=n % 5, length=1 + n % 4))
        transfers.append(client.write(va, [n] * (1 + n % 3), id=n % 5))
    await bench.all_answered()
    for t in transfers:
        assert t.resp == (SLVERR if t.va >= FAULTY else OKAY)
        if not t.write and t.resp == OKAY:
            pa = PAGE + (t.va - VA if t.va < MISS else 0x1000 + t.va - MISS)
            assert t.data == [word(pa + 4 * i) for i in range(t.length)]
    for write in (False, True):
        for identity in range(5):
            sent = [t for t in transfers if (t.write, t.id) == (write, identity)]
            got = [t for t in client.finished[1:] if (t.write, t.id) == (write, identity)]
            assert sent == got
