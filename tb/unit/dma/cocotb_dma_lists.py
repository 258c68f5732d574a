"""Lists that are done: what is moved, in which bursts, and when it is called done."""

from drivers.started import bench_test
from support.on import On
from unit.dma.bench import (
    BUSY,
    DONE,
    ENTRY_DONE,
    Bench,
    Reg,
)
from unit.dma.model import FILL, INTERRUPT, LAST, PAGE, Entry

RUNS = [On("dma:teaching")]


def interrupts(bench: Bench) -> bool:
    return bool(int(bench.dut.io_interrupt.value))


@bench_test(Bench)
async def bursts_stay_in_both_pages(bench):
    """The bench refuses one that does not. Each is cut where the source's page or that of the
    destination ends."""
    await bench.run([Entry(0x3FE0, 256, source=0x1FF0, flags=LAST)])
    assert [(a.address, a.bytes) for a in bench.of(write=False)] == [
        (0x1FF0, 16), (0x2000, 16), (0x2010, 64), (0x2050, 64), (0x2090, 64), (0x20D0, 32)
    ]  # fmt: skip
    assert [a.bytes for a in bench.of(write=True)] == [16, 16, 64, 64, 64, 32]


@bench_test(Bench)
async def a_page_takes_a_cycle_for_a_beat(bench):
    """Reads and writes go on side by side."""
    await bench.apb.write(Reg.INTERRUPT, DONE)
    for entry in (
        Entry(0x3000, PAGE, source=0x1000, flags=LAST),
        Entry(0x3000, PAGE, flags=FILL | LAST),
    ):
        await bench.begin([entry])
        cycles = await bench.until(lambda: interrupts(bench), "the list is done")
        print(f"a page: {cycles} cycles for {PAGE // 4} beats")
        assert cycles < PAGE // 4 * 1.25
        await bench.apb.write(Reg.STATUS, DONE)
        await bench.cycles(2)


@bench_test(Bench)
async def a_write_waits_for_its_data(bench):
    """Its address would be owed an answer that depends on a read."""
    entry = Entry(0x2000, 256, source=0x1000, flags=LAST)
    bench.write_list([entry], 0)
    await bench.begin([entry])
    await bench.until(lambda: len(bench.of(write=False)) == 1, "the first read")
    seen = bench.beats["r"]
    await bench.until(lambda: bench.beats["r"] >= seen + 5, "a part of it")
    bench.hold("r", True)
    await bench.cycles(60)
    assert not bench.of(write=True)
    bench.hold("r", False)
    assert await bench.ended() == DONE


@bench_test(Bench)
async def done_waits_for_the_last_answer(bench):
    await bench.apb.write(Reg.INTERRUPT, DONE | ENTRY_DONE)
    bench.hold("b", True)
    await bench.begin([Entry(0x2000, 64, source=0x1000, flags=LAST | INTERRUPT)])
    await bench.until(lambda: bench.beats["w"] == 16, "all is written")
    await bench.cycles(50)
    assert await bench.status() == BUSY and not interrupts(bench)
    assert await bench.progress() == (0, 0)
    bench.hold("b", False)
    assert await bench.ended() == DONE | ENTRY_DONE
    assert interrupts(bench) and await bench.progress() == (1, 0)


@bench_test(Bench)
async def interrupts_of_entries(bench):
    """STATUS and the interrupt are cleared by writing 1, each bit for itself."""
    await bench.apb.write(Reg.INTERRUPT, ENTRY_DONE)
    flags = FILL | INTERRUPT
    entries = [Entry(0x2000, 64, flags=flags), Entry(0x3000, 2048, flags=FILL | LAST)]
    await bench.begin(entries)
    await bench.until(lambda: interrupts(bench), "the interrupt of the first entry")
    assert await bench.status() == BUSY | ENTRY_DONE
    assert (await bench.progress())[0] == 1
    await bench.apb.write(Reg.STATUS, DONE)
    assert interrupts(bench)
    await bench.apb.write(Reg.STATUS, ENTRY_DONE)
    await bench.cycles(2)
    assert not interrupts(bench)
    assert await bench.ended() == DONE and not interrupts(bench)
