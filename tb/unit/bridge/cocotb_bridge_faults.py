"""What software sees of faults: the queue, interrupts, transactions that stall; and how it shuts
the bridge and opens it again."""

import cocotb

from drivers.started import bench_test
from model.tables import AF
from support.on import On
from unit.bridge.bench import (
    ILLEGAL_BURST,
    RUN,
    STALLS_ON_FAULT,
    TRANSLATION,
    Bench,
    Mode,
    Reg,
    Status,
)
from unit.bridge.bus import word
from unit.bridge.client import DECERR, OKAY, SLVERR

RUNS = [On("devicemmu:vmsa48_nocache")]

PAGE, VA = 0x9000_0000, 0x1000_0000
FAULTY = VA + 0x200_0000
SLOTS = 8  # of each direction


def interrupted(bench) -> bool:
    return bool(bench.dut.io_interrupt.value)


async def stalled(bench) -> int:
    """Waits until something stalls, and says which slots do."""
    for _ in range(1000):
        if mask := await bench.apb.read(Reg.STALLED):
            return mask
    raise AssertionError("nothing stalls within 1000 reads of STALLED")


@bench_test(Bench)
async def the_fault_queue_says_what_happened(bench):
    for stream in (2, 5):
        await bench.space(stream)
    client = bench.client
    await bench.apb.write(Reg.INTERRUPT, Status.FAULT)
    assert not interrupted(bench)
    high = FAULTY | 0x12 << 32
    await bench.answer(client.read(FAULTY, stream=2, id=9))
    await bench.answer(client.write(high, [1], stream=5, id=15))
    await bench.answer(client.read(FAULTY + 4, stream=2, id=3, prot=0b100))
    await bench.cycles(2)
    assert interrupted(bench)
    faults = [await bench.fault() for _ in range(3)]
    assert [f.va for f in faults] == [FAULTY, high, FAULTY + 4]
    assert [f.stream for f in faults] == [2, 5, 2]
    assert [f.id for f in faults] == [9, 15, 3]
    assert [(f.write, f.execute, f.stalls) for f in faults] == [
        (False, False, False), (True, False, False), (False, True, False)]  # fmt: skip
    assert all(TRANSLATION <= f.status <= TRANSLATION + 3 for f in faults)
    await bench.cycles(2)
    assert not interrupted(bench) and await bench.fault() is None
    assert await bench.apb.read(Reg.FAULTS) == 3


@bench_test(Bench)
async def a_fault_without_room_is_lost_and_says_so(bench):
    await bench.space(0)
    await bench.apb.write(Reg.INTERRUPT, Status.OVERFLOW)
    transfers = [bench.client.read(FAULTY + 4 * n) for n in range(10)]
    await bench.all_answered()
    assert all(t.resp == SLVERR for t in transfers)
    assert await bench.apb.read(Reg.STATUS) == Status.FAULT | Status.OVERFLOW and interrupted(bench)
    faults = [await bench.fault() for _ in range(9)]
    held = [f.va for f in faults if f]
    assert held == [FAULTY + 4 * n for n in range(len(held))] and 8 <= len(held) < 10
    assert await bench.apb.read(Reg.FAULTS) == 10
    await bench.apb.write(Reg.STATUS, Status.OVERFLOW)
    assert await bench.apb.read(Reg.STATUS) == 0
    await bench.cycles(2)
    assert not interrupted(bench)


@cocotb.parametrize(write=[False, True])
@bench_test(Bench)
async def a_transaction_that_stalls_is_retried(bench, write):
    """Its data, of 256 beats, is kept meanwhile; newer ones of its ID wait, other IDs do not."""
    space = await bench.space(0, flags=STALLS_ON_FAULT)
    space.map(VA, PAGE)
    client, data = bench.client, list(range(256))
    stalls, newer = (client.access(write, va, d, id=1) for va, d in ((FAULTY, data), (VA, [5])))
    other = client.access(write, VA + 4, [6], id=2)
    await bench.answer(other)
    mask = await stalled(bench)
    fault = await bench.fault()
    assert fault.stalls and (fault.va, fault.write) == (FAULTY, write)
    assert mask == 1 << fault.slot + 16 * write
    await bench.cycles(100)
    assert not stalls.done and not newer.done
    space.map(FAULTY, PAGE + 0x1000)
    await bench.resume(fault, retry=True)
    await bench.all_answered()
    assert [t.resp for t in (stalls, newer)] == [OKAY, OKAY]
    if write:
        assert [d for _, d, _ in bench.bus.writes[-2].data] == data
    else:
        assert stalls.data == [word(PAGE + 0x1000 + 4 * n) for n in data]
    assert stalls.done < newer.done
    assert await bench.apb.read(Reg.STALLED) == 0
    assert [await bench.apb.read(r) for r in (Reg.STALLS, Reg.FAULTS)] == [1, 1]


@bench_test(Bench)
async def what_stalls_with_a_full_queue_is_found_by_its_slot(bench):
    await bench.space(0)
    space = await bench.space(1, flags=STALLS_ON_FAULT)
    for n in range(9):
        bench.client.read(FAULTY + 4 * n, id=1)
    await bench.all_answered()
    read = bench.client.read(FAULTY, stream=1, id=2)
    mask = await stalled(bench)
    assert await bench.apb.read(Reg.STATUS) & Status.OVERFLOW
    for _ in range(9):
        assert (await bench.fault()).stream == 0
        if not await bench.apb.read(Reg.STATUS) & Status.FAULT:
            break
    assert await bench.fault() is None
    space.map(FAULTY, PAGE)
    slot = mask.bit_length() - 1
    await bench.apb.write(Reg.RESUME, slot << 12 | 1)
    assert (await bench.answer(read)).resp == OKAY


@cocotb.parametrize(write=[False, True])
@bench_test(Bench)
async def one_stalled_stream_fills_the_slots_of_all(bench, write):
    """docs/bridge.md: with 7 of 8 slots held another stream goes on, with 8 it waits until software
    resumes one; the other direction has slots of its own."""
    (await bench.space(0)).map(VA, PAGE)
    await bench.space(1, flags=STALLS_ON_FAULT)

    def access(va: int, stream: int, number: int, writes: bool = write):
        return bench.client.access(writes, va, [number], stream=stream, id=number)

    held = [access(FAULTY + 4 * n, 1, n) for n in range(SLOTS - 1)]
    await bench.cycles(500)
    assert (await bench.answer(access(VA, 0, 8))).resp == OKAY, "a slot was free"
    held.append(access(FAULTY, 1, SLOTS - 1))
    await bench.cycles(500)
    waiting = [access(VA + 4 * n, 0, 8 + n) for n in range(3)]
    await bench.answer(access(VA, 0, 12, not write))
    await bench.cycles(1000)
    slots = (1 << SLOTS) - 1
    assert await bench.apb.read(Reg.STALLED) == slots << 16 * write
    assert not any(t.done for t in (*held, *waiting))
    await bench.resume(await bench.fault(), retry=False)
    for transfer in waiting:
        assert (await bench.answer(transfer)).resp == OKAY
    assert sum(bool(t.done) for t in held) == 1
    for _ in range(SLOTS - 1):
        await bench.resume(await bench.fault(), retry=False)
    await bench.all_answered()
    assert all(t.resp == SLVERR for t in held)


@bench_test(Bench)
async def an_illegal_burst_never_stalls(bench):
    (await bench.space(0, flags=STALLS_ON_FAULT)).map(VA, PAGE)
    read = await bench.answer(bench.client.read(VA + 0xFFC, length=2))
    assert read.resp == SLVERR
    fault = await bench.fault()
    assert fault.status == ILLEGAL_BURST and not fault.stalls


@bench_test(Bench)
async def errors_of_the_bus_and_of_walks(bench):
    """DECERR passes and is no fault; an error of a descriptor's read is one."""
    space = await bench.space(0)
    space.map(VA, PAGE)
    bench.memory.errors.add(space.map(FAULTY, PAGE))
    bench.bus.errors.add(PAGE >> 12)
    client = bench.client
    read, write = client.read(VA, length=3), client.write(VA, [1, 2])
    await bench.all_answered()
    assert read.resps == [DECERR] * 3 and write.resp == DECERR
    assert await bench.fault() is None
    assert (await bench.answer(client.read(FAULTY))).resp == SLVERR
    assert (await bench.fault()).status == 0x17
    space.map(VA + 0x1000, PAGE, AF ^ AF)  # no access flag, and hardware sets none
    assert (await bench.answer(client.read(VA + 0x1000))).resp == SLVERR
    assert (await bench.fault()).status == 0x0B


@bench_test(Bench, run=False)
async def shut_down_and_restart_lose_nothing(bench):
    space = await bench.space(0, flags=STALLS_ON_FAULT)
    space.map(VA, PAGE)
    client = bench.client
    held = [client.read(VA), client.write(VA, [1, 2])]
    await bench.cycles(50)
    assert not any(t.done for t in held) and await bench.apb.read(Reg.STATUS) == Status.IDLE
    await bench.apb.write(Reg.CONTROL, RUN)
    await bench.all_answered()
    assert await bench.apb.read(Reg.STATUS) == 0, "while it runs it does not say idle"

    bench.bus.holds = True
    first = [client.read(VA, id=n % 4, length=1 + n % 3) for n in range(12)]
    first += [client.write(VA, [n] * 2, id=n % 4) for n in range(12)]
    first.append(client.read(FAULTY, id=9))
    await bench.cycles(30)
    await bench.apb.write(Reg.CONTROL, 0)
    accepted = len(bench.bus.seen)
    await bench.cycles(100)
    assert len(bench.bus.seen) <= accepted + 4, "nothing new is accepted"
    assert not await bench.apb.read(Reg.STATUS) & Status.IDLE
    bench.bus.holds = False
    await bench.cycles(200)
    while await bench.apb.read(Reg.STALLED):
        await bench.resume(await bench.fault(), retry=False)
    await bench.cycles(200)
    assert await bench.apb.read(Reg.STATUS) & Status.IDLE
    assert any(not t.done for t in first), "some were not accepted yet"
    await bench.apb.write(Reg.CONTROL, RUN)
    await bench.cycles(300)
    while await bench.apb.read(Reg.STALLED):
        await bench.resume(await bench.fault(), retry=False)
    await bench.all_answered()
    assert all(t.resp == (SLVERR if t.va == FAULTY else OKAY) for t in first)


@bench_test(Bench)
async def rows_of_the_context_table(bench):
    """A row changes as a whole, with the write of CONTEXT, and no other one does."""
    space = await bench.space(4)
    space.map(VA, PAGE)
    await bench.answer(bench.client.read(VA, stream=4))
    await bench.apb.write(Reg.ROOT_LO, 0x5000)
    await bench.apb.write(Reg.ROOT_HI, 0xFFFF)
    assert (await bench.answer(bench.client.read(VA, stream=4))).resp == OKAY
    for stream in set(range(8)) - {4}:
        await bench.stream(stream, Mode.BYPASS, 0x1234_5678_9ABC_DEF0)
    read = await bench.answer(bench.client.read(VA, stream=4))
    assert read.data == [word(PAGE)]
    assert await bench.apb.read(Reg.STREAM) == max(set(range(8)) - {4})
    await bench.stream(4, Mode.BYPASS, 0)
    assert (await bench.answer(bench.client.read(VA, stream=4))).data == [word(VA)]
    _, error, _ = await bench.apb.access(0x80)
    assert error, "there is no register"
    assert [await bench.apb.read(r) for r in (Reg.HITS, Reg.MISSES)] == [3, 1]
