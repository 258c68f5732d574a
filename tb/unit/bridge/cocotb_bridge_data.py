"""Data of writes: before and after their addresses, kept, passed on and dropped."""

from drivers.started import bench_test
from support.on import On
from unit.bridge.bench import slow_walks
from unit.bridge.client import OKAY, SLVERR

RUNS = [On("devicemmu:vmsa48_nocache")]

VA = 0x1000_0000
FAULTY = VA + 0x200_0000


@bench_test(slow_walks)
async def data_of_a_write_may_come_before_its_address(bench):
    client = bench.client
    client.send_data([1, 2])
    await bench.cycles(20)
    first = client.write(VA, [1, 2], send=False)
    await bench.answer(first)
    assert [d for _, d, _ in bench.bus.writes[-1].data] == [1, 2]
    late = client.write(VA, [3], send=False)
    await bench.cycles(20)
    assert not late.done
    client.send_data([3])
    await bench.answer(late)
    assert first.resp == late.resp == OKAY


@bench_test(slow_walks)
async def data_of_a_terminated_write_is_drained(bench):
    """Whole bursts, between others of the same and of another ID; SLVERR comes after the data."""
    bench.walk.latency = 2
    client = bench.client
    lengths = (256, 1, 17, 256)
    waits = client.write(FAULTY, [0xBAD] * 2, id=1, send=False)
    await bench.cycles(100)
    assert not waits.done, "its data has not come"
    client.send_data([0xBAD] * 2)
    await bench.answer(waits)
    for length in lengths:
        bad = client.write(FAULTY, [0xBAD] * length, id=1)
        good = client.write(VA, list(range(length)), id=2)
        await bench.all_answered()
        assert (bad.resp, good.resp) == (SLVERR, OKAY)
        assert [d for _, d, _ in bench.bus.writes[-1].data] == list(range(length))
    assert len(bench.bus.writes) == len(lengths)
