"""Random lists against the model, on a bus with pauses, with pages that are refused."""

import random
from collections import Counter

import cocotb

from support.on import On
from support.seed import run_seed
from unit.dma.bench import DESTINATION_STREAM, DONE, FAILED, MOST, SOURCE_STREAM, Bench
from unit.dma.model import ENTRY_BYTES, FILL, LAST, PAGE, Cause, Entry, Result, bursts, play

RUNS = [On("dma:teaching")]

PAGES, LISTS = 16, 120
DATA = range(2, PAGES)  # pages; the list is in the first two


def place(rng: random.Random, size: int) -> int:
    """Often at the end of a page."""
    if rng.random() < 0.5:
        near = rng.choice(DATA[1:-1]) * PAGE + rng.randrange(-2 * MOST, 2 * MOST, 4)
        return min(near, PAGES * PAGE - size)
    return rng.randrange(DATA.start * PAGE, PAGES * PAGE - size, 4)


def entry(rng: random.Random) -> Entry:
    size = rng.choice((0, 4, MOST, rng.randrange(0, 300, 4), rng.randrange(0, 3000, 4)))
    flags = FILL if rng.random() < 0.3 else 0
    flags |= 1 << rng.randrange(3, 32) if rng.random() < 0.02 else 0
    odd = 2 if rng.random() < 0.02 else 0
    source, destination = place(rng, size), place(rng, size)
    if rng.random() < 0.05:  # touching, or overlapping by a beat
        near = destination + rng.choice((-1, 1)) * (size - rng.choice((0, 4)))
        source = min(max(near, DATA.start * PAGE), PAGES * PAGE - size)
    return Entry(destination + odd, size, source, rng.getrandbits(32), flags)


@cocotb.test()
async def random_lists(dut):
    seed = run_seed()
    rng = random.Random(seed)
    bench = await Bench.start(dut, seed, PAGES * PAGE)
    seen, overlapping = Counter(), 0
    for _ in range(LISTS):
        bench.slow(rng.choice((0, 0.2, 0.7)))
        one_row = rng.random() < 0.5
        await bench.streams(SOURCE_STREAM, SOURCE_STREAM if one_row else DESTINATION_STREAM)
        entries = [entry(rng) for _ in range(rng.randrange(1, 7))]
        # Of two rows the engine takes them, and what it reads depends on when it writes.
        entries = [e for e in entries if one_row or not e.overlaps]
        entries.append(Entry(DATA.start * PAGE, 4, value=1, flags=FILL | LAST))
        bench.memory.errors = set(rng.sample(DATA, 1) if rng.random() < 0.5 else ())
        at = rng.choice((0, PAGE - 3 * ENTRY_BYTES))
        if at and rng.random() < 0.2:
            bench.memory.errors.add(1)
        bench.write_list(entries, at)
        expected = bytearray(bench.memory.bytes)
        result = play(expected, entries, bench.memory.refuses, MOST, at, one_row=one_row)
        status = await bench.run(entries, at)
        assert status == (FAILED if result.cause else DONE), f"{result}, STATUS {status:#x}"
        assert await bench.progress() == (result.entries, result.written), result
        if result.cause:
            cause, response, va = await bench.error()
            assert (cause, va) == (result.cause, result.va), f"{cause} {va:#x}: {result}"
            assert response == (0 if cause is Cause.ILLEGAL else 2)
        forgive(bench.memory.bytes, expected, entries, result)
        assert bench.memory.bytes == expected, f"{entries}: {result}"
        seen[result.cause] += 1
        overlapping += result.cause is Cause.ILLEGAL and entries[result.entries].overlaps
    print(f"random lists, seed {seed}: {dict(seen)}, {overlapping} overlap")
    assert all(seen[cause] for cause in (Cause.NONE, Cause.READ, Cause.WRITE)) and overlapping


def forgive(memory: bytearray, expected: bytearray, entries: list[Entry], result: Result) -> None:
    """Bursts after one whose write failed may have been written: what is new there may be."""
    if result.cause is not Cause.WRITE:
        return
    failed = entries[result.entries]
    for source, destination, size in bursts(failed, MOST):
        if destination <= result.va:
            continue
        value = failed.value.to_bytes(4, "little") * (size // 4)
        data = value if failed.fills else expected[source : source + size]
        if memory[destination : destination + size] == data:
            expected[destination : destination + size] = data
