"""Lists that end before their last entry: errors, STOP."""

from dataclasses import replace

from drivers.started import bench_test
from support.on import On
from unit.dma.bench import (
    DESTINATION_STREAM,
    DONE,
    FAILED,
    LIST_STREAM,
    MOST,
    SOURCE_STREAM,
    START,
    STOP,
    STOPPED,
    Bench,
    Reg,
)
from unit.dma.model import FILL, LAST, Cause, Entry

RUNS = [On("dma:teaching")]

SLVERR = 2
BURSTS = 4  # under way, as DmaConfig says


@bench_test(Bench)
async def errors_say_where(bench):
    """Nothing after the error is written, and the entries before it are done."""
    good = Entry(0x8000, 64, source=0x1000)
    bench.memory.errors = {2, 3, 6}
    cases = {
        Cause.READ: (Entry(0x8100, 512, source=0x1F80, flags=LAST), 0x2000, 128),
        Cause.WRITE: (Entry(0x2F00, 512, source=0x1000, flags=LAST), 0x2F00, 0),
        Cause.ILLEGAL: (Entry(0x8102, 64, source=0x1000, flags=LAST), 0x20, 0),
    }
    for cause, (entry, va, written) in cases.items():
        status = await bench.run([good, entry])
        assert status == FAILED, f"{cause}: {status}"
        response = SLVERR if cause is not Cause.ILLEGAL else 0
        assert await bench.error() == (cause, response, va)
        assert await bench.progress() == (1, written)
    assert await bench.run([good, Entry(0x5FC0, 256, source=0x1000, flags=LAST)]) == FAILED
    assert await bench.error() == (Cause.WRITE, SLVERR, 0x6000)
    assert await bench.progress() == (1, 64)
    # The list goes on in a page that is refused.
    bench.memory.errors = set()
    bench.write_list([good, good], 0x5FC0)
    bench.memory.errors = {6}
    await bench.apb.write64(Reg.LIST, 0x5FC0)
    await bench.apb.write(Reg.CONTROL, START)
    assert await bench.ended() == FAILED
    assert await bench.error() == (Cause.LIST, SLVERR, 0x6000)
    assert await bench.progress() == (2, 0)
    assert await bench.run([replace(good, flags=LAST)]) == DONE, "it works again after errors"


@bench_test(Bench)
async def what_overlaps(bench):
    """Source and destination of one row have no byte in common. Of two rows nobody can tell, and a
    fill has no source."""
    size, wide = 0x180, 0x2_0000_2000
    await bench.streams(SOURCE_STREAM, SOURCE_STREAM)
    before = bytes(bench.memory.bytes[0x100:])
    good = Entry(0x6000, 0, source=0x6000)  # no byte at all
    for apart in (0, 4, -4, 256, -256, size - 4, 4 - size):
        assert await bench.run([good, Entry(0x2000 + apart, size, 0x2000, flags=LAST)]) == FAILED
        assert await bench.error() == (Cause.ILLEGAL, 0, 0x20), f"{apart} apart"
        assert await bench.progress() == (1, 0)
    for source, destination in ((wide, wide + 4), (wide + 4, wide), (0, (1 << 64) - 4)):
        assert await bench.run([Entry(destination, size, source, flags=LAST)]) == FAILED
        assert await bench.error() == (Cause.ILLEGAL, 0, 0)
    assert bytes(bench.memory.bytes[0x100:]) == before
    for apart in (size, -size):
        assert await bench.run([Entry(0x2000 + apart, size, 0x2000, flags=LAST)]) == DONE
        assert bench.memory.bytes[0x2000 + apart :][:size] == before[0x1F00:][:size], apart
    assert await bench.run([Entry(0x2000, size, 0x2000, flags=FILL | LAST)]) == DONE
    await bench.streams(SOURCE_STREAM, DESTINATION_STREAM)
    assert await bench.run([Entry(0x3004, size, 0x3000, flags=LAST)]) == DONE


@bench_test(Bench)
async def a_write_error_is_before_a_read_error(bench):
    """The write of a burst fails after the read of a newer one did: of the two, it is the first
    byte that lacks."""
    bench.memory.errors = {2, 3}
    bench.hold("b", True)
    await bench.begin([Entry(0x3000, 256, source=0x1FC0, flags=LAST)])
    await bench.until(lambda: bench.beats["w"] == 16 and bench.beats["r"] >= 8 + 32, "both")
    await bench.cycles(20)
    bench.hold("b", False)
    assert await bench.ended() == FAILED
    assert await bench.error() == (Cause.WRITE, SLVERR, 0x3000)
    assert await bench.progress() == (0, 0)


@bench_test(Bench)
async def a_read_error_after_a_write_error(bench):
    bench.memory.errors = {2, 3}
    await bench.begin([Entry(0x3000, 256, source=0x1FC0, flags=LAST)])
    await bench.until(lambda: bench.beats["r"] == 8 + 16, "the first burst")
    bench.hold("r", True)
    await bench.until(lambda: bench.answers == 1, "the write of it fails")
    await bench.cycles(5)
    bench.hold("r", False)
    assert await bench.ended() == FAILED
    assert await bench.error() == (Cause.WRITE, SLVERR, 0x3000)


@bench_test(Bench)
async def stop_and_go_on(bench):
    """What ENTRY and BYTES say is written, and nothing else; the rest can be done later."""
    before = bytes(bench.memory.bytes)
    entries = [Entry(0x3000, 1024, source=0x1000), Entry(0x4000, 1024, source=0x2000, flags=LAST)]
    stops = 0
    for delay in (*range(0, 30, 3), *range(30, 900, 90)):
        bench.memory.bytes[:] = before
        await bench.begin(entries)
        await bench.cycles(delay)
        await bench.apb.write(Reg.CONTROL, STOP)
        status = await bench.ended()
        index, written = await bench.progress()
        done = index * 1024 + written
        expected = before[0x1000 : 0x1000 + min(done, 1024)]
        assert bench.memory.bytes[0x3000 : 0x3000 + len(expected)] == expected
        more = before[0x2000 : 0x2000 + max(done - 1024, 0)]
        assert bench.memory.bytes[0x4000 : 0x4000 + len(more)] == more
        after = 0x3000 + done if done < 1024 else 0x4000 + done - 1024
        assert bench.memory.bytes[after:] == before[after:]
        assert status == (DONE if index == 2 else STOPPED), status
        stops += status == STOPPED
        if index < 2:
            left = entries[index]
            rest = Entry(left.destination + written, 1024 - written, left.source + written,
                         flags=left.flags)  # fmt: skip
            assert await bench.run([rest, *entries[index + 1 :]]) == DONE
        assert bench.memory.bytes[0x3000:0x3400] == before[0x1000:0x1400]
        assert bench.memory.bytes[0x4000:0x4400] == before[0x2000:0x2400]
    assert stops > 10


@bench_test(Bench)
async def a_burst_that_waits_for_room_does_not_outlive_an_error(bench):
    """A write fails while all places of the buffer are of newer bursts, which are not written any
    more: the next burst would wait for ever."""
    bench.memory.errors = {2}
    bench.hold("b", True)
    long = Entry(0x2FC0, 16 * MOST, source=0x4000, flags=LAST)
    await bench.begin([long])
    # The memory takes another address with the last beats of a burst.
    await bench.until(lambda: bench.beats["r"] >= 8 + 16 + 14, "nearly two bursts")
    bench.hold("r", True)
    await bench.cycles(50)
    asked = len(bench.of(write=False))
    assert asked == 1 + BURSTS, f"{asked} are asked for, and the next one waits for room"
    bench.hold("b", False)
    await bench.until(lambda: bench.answers == 1, "the first write fails")
    await bench.cycles(5)
    bench.hold("r", False)
    assert await bench.ended() == FAILED
    assert await bench.error() == (Cause.WRITE, SLVERR, 0x2FC0)
    bench.memory.errors = set()
    assert await bench.run([replace(long, bytes=64)]) == DONE, "nothing of it is left"
    assert bench.memory.bytes[0x2FC0:0x3000] == bench.memory.bytes[0x4000:0x4040]


@bench_test(Bench)
async def start_while_busy_does_nothing(bench):
    await bench.begin([Entry(0x3000, 1024, flags=FILL | LAST)])
    await bench.apb.write(Reg.CONTROL, START)
    assert await bench.ended() == DONE
    lists = [a for a in bench.addresses if a.stream == LIST_STREAM]
    assert len(lists) == 1


@bench_test(Bench)
async def stop_while_idle_does_nothing(bench):
    await bench.apb.write(Reg.CONTROL, STOP)
    assert await bench.status() == 0
    assert await bench.run([Entry(0x3000, 64, flags=FILL | LAST)]) == DONE
