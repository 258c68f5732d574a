"""What a transaction becomes: address, attributes, privilege, kinds of bursts; and at what rate."""

from itertools import groupby

import cocotb

from drivers.started import bench_test
from model.tables import AF, NG, ap
from support.on import On
from unit.bridge.bench import (
    ADDRESS_SIZE,
    ILLEGAL_BURST,
    PERMISSION,
    PRIVILEGED,
    READ_ONLY,
    TRANSLATION,
    USER,
    Bench,
    Mode,
    Space,
)
from unit.bridge.bus import FIXED, INCR, WRAP, word
from unit.bridge.client import OKAY, SLVERR

RUNS = [On("devicemmu:vmsa48_nocache")]

PAGE, VA = 0x8_1234_5000, 0x12_3456_7000
KERNEL_ONLY = AF | NG | ap(0b00)
PXN, UXN = 1 << 53, 1 << 54


@bench_test(Bench)
async def every_granule_and_block(bench):
    for granule, level, span in ((12, 3, 12), (12, 2, 21), (14, 3, 14), (14, 2, 25), (16, 3, 16)):
        bench.context(granule=granule)
        space = Space(bench.memory, granule + level, granule)
        await bench.stream(1, Mode.VMSA, space.ttbr)
        pa = 0x40_0000_0000
        space.map(VA, pa, level=level)
        read = await bench.answer(bench.client.read(VA + 8, stream=1))
        inside = VA + 8 & (1 << span) - 1
        assert (read.resp, read.data) == (OKAY, [word(pa | inside)]), (granule, level)


@bench_test(Bench)
async def modes_off_bypass_and_satp(bench):
    """Bypass passes address and attributes; an address that does not fit is a fault."""
    client = bench.client
    await bench.stream(0, Mode.BYPASS, 0)
    read = await bench.answer(client.read(PAGE + 4, stream=0, cache=0b0111, prot=0b010))
    assert (read.resp, read.data) == (OKAY, [word(PAGE + 4)])
    assert (bench.bus.seen[0].cache, bench.bus.seen[0].prot) == (0b0111, 0b010)
    wide = await bench.answer(client.read(1 << 48, stream=0))
    off = await bench.answer(client.read(PAGE, stream=1))
    assert (wide.resp, off.resp) == (SLVERR, SLVERR)
    assert [(await bench.fault()).status for _ in range(2)] == [ADDRESS_SIZE, TRANSLATION]

    # Sv32: two levels of 1,024 entries.
    root, table = 0x5000_0000, 0x5000_1000
    bench.memory.write(root + 4 * (VA32 >> 22), table >> 12 << 10 | 1, 4)
    leaf = PAGE >> 12 << 10 | 0xD7
    bench.memory.write(table + 4 * (VA32 >> 12 & 0x3FF), leaf, 4)
    await bench.stream(2, Mode.RISCV, 1 << 31 | 9 << 22 | root >> 12)
    mapped = await bench.answer(client.read(VA32 + 0x10, stream=2))
    assert (mapped.resp, mapped.data) == (OKAY, [word((PAGE & 0x3_FFFF_F000) + 0x10)])
    await bench.stream(2, Mode.RISCV, root >> 12)  # satp.MODE is Bare
    assert (await bench.answer(client.read(VA32, stream=2))).resp == SLVERR
    assert (await bench.fault()).status == TRANSLATION
    await bench.stream(2, Mode.OFF, 0)
    assert (await bench.answer(client.read(VA32, stream=2))).resp == SLVERR
    assert len(bench.bus.seen) == 2, "what faults never becomes a transaction of the bus"


VA32 = 0x1234_5000


@bench_test(Bench)
async def attributes_of_the_page_are_those_of_the_bus(bench):
    """In place of device memory, a fetch is of Normal Non-cacheable memory (DDI 0487 M.a.a,
    B2.10.2), as at the MMU's fetch port."""
    bench.context(granule=12, sctlr=1 | 1 << 2 | 1 << 12)  # fetches may be cached, too
    space = await bench.space(0)
    # AxCACHE by index of MAIR; 1 and 4 are device memory.
    for index, cache in enumerate((0b1111, 0b0000, 0b0011, 0b0110, 0b0001)):
        va = VA + (index << 12)
        space.map(va, PAGE, USER | index << 2)
        for _ in range(2):  # a miss, then a hit
            await bench.answer(bench.client.read(va, cache=0b1010, prot=0b111))
            await bench.answer(bench.client.read(va, cache=0b1010, prot=0b011))
            await bench.answer(bench.client.write(va, [1], cache=0b1010))
            fetch, read, write = bench.bus.seen[-3:]
            fetched = 0b0011 if index in (1, 4) else cache
            found = (fetch.cache, read.cache, write.cache)
            assert found == (fetched, cache, cache), f"index {index}"
            assert (fetch.prot, read.prot) == (0b111, 0b011)
    bench.context(granule=12, sctlr=1)  # SCTLR.C and I = 0: nothing may be cached
    await bench.answer(bench.client.read(VA, cache=0b1111))
    assert bench.bus.seen[-1].cache == 0b0011


@bench_test(Bench)
async def permissions_by_privilege_and_access(bench):
    spaces = [await bench.space(0), await bench.space(1, flags=PRIVILEGED)]
    pages = {"kernel": KERNEL_ONLY, "user": USER, "read only": READ_ONLY,
             "no fetch": USER | PXN | UXN}  # fmt: skip
    allowed = {  # (EL0, EL1) of read, write, fetch
        "kernel": ((0, 1), (0, 1), (1, 1)),
        "user": ((1, 1), (1, 1), (1, 0)),
        "read only": ((1, 1), (0, 0), (1, 1)),
        "no fetch": ((1, 1), (1, 1), (0, 0)),
    }
    for n, (name, bits) in enumerate(pages.items()):
        va = VA + (n << 12)
        for stream, space in enumerate(spaces):
            space.map(va, PAGE, bits)
            client = bench.client
            for _ in range(2):  # a miss, then a hit
                got = [
                    (await bench.answer(client.read(va, stream=stream))).resp,
                    (await bench.answer(client.write(va, [0], stream=stream))).resp,
                    (await bench.answer(client.read(va, stream=stream, prot=0b100))).resp,
                ]
                want = [OKAY if of[stream] else SLVERR for of in allowed[name]]
                assert got == want, f"{name}, EL{stream}: {got}"
                for access, resp in enumerate(got):
                    if resp == SLVERR:
                        fault = await bench.fault()
                        assert fault.status == PERMISSION + 3, fault
                        assert (fault.write, fault.execute) == (access == 1, access == 2), fault
    assert await bench.fault() is None


@bench_test(Bench)
async def bursts_that_may_not_pass(bench):
    """A burst stays inside of 4 KiB; FIXED and WRAP always do. Each beat is answered."""
    space = await bench.space(0)
    for n in range(3):
        space.map(VA + (n << 12), PAGE + (n << 12))
    legal = [  # offset, length, size, burst
        (0x000, 256, 2, INCR), (0xC00, 256, 2, INCR), (0xFFF, 1, 0, INCR), (0xF00, 256, 0, INCR),
        (0xFFD, 1, 2, INCR), (0xFE1, 8, 2, INCR), (0xFFC, 16, 2, FIXED), (0xFFC, 2, 2, WRAP),
        (0xFF4, 16, 2, WRAP), (0xFFE, 4, 1, WRAP),
    ]  # fmt: skip
    illegal = [
        (0xC04, 256, 2, INCR), (0xFFC, 2, 2, INCR), (0xFFF, 2, 0, INCR), (0xFE1, 9, 2, INCR),
        (0x000, 1, 3, INCR), (0x000, 17, 2, FIXED), (0x000, 3, 2, WRAP), (0x002, 4, 2, WRAP),
        (0x000, 4, 2, 3), (0x000, 1, 7, INCR),
    ]  # fmt: skip
    for good, cases in ((True, legal), (False, illegal)):
        for offset, length, size, burst in cases:
            kind = {"length": length, "size": size, "burst": burst}
            case = f"{offset:#x} {kind}"
            before = len(bench.bus.seen)
            read = await bench.answer(bench.client.read(VA + offset, **kind))
            assert len(read.resps) == length and read.resp == (OKAY if good else SLVERR), case
            write = bench.client.write(VA + offset, [7] * length, size=size, burst=burst)
            await bench.answer(write)
            assert write.resp == (OKAY if good else SLVERR), case
            if good:
                for seen in bench.bus.seen[before:]:
                    assert (seen.address, seen.length, seen.size, seen.burst) == (
                        PAGE + offset, length, size, burst), case  # fmt: skip
            else:
                assert len(bench.bus.seen) == before, case
                for _ in range(2):
                    assert (await bench.fault()).status == ILLEGAL_BURST, case


@bench_test(Bench)
async def exclusive_accesses_pass(bench):
    (await bench.space(0)).map(VA, PAGE)
    await bench.answer(bench.client.read(VA, lock=1))
    await bench.answer(bench.client.write(VA, [1], lock=1))
    assert [s.lock for s in bench.bus.seen] == [1, 1]


@bench_test(Bench)
async def high_bits_of_an_address_count(bench):
    (await bench.space(0)).map(VA, PAGE)
    assert (await bench.answer(bench.client.read(VA))).resp == OKAY
    assert (await bench.answer(bench.client.read(VA | 1 << 60))).resp == SLVERR
    assert (await bench.fault()).status == TRANSLATION
    bench.context(granule=12, flags=1 << 37)  # TBI0: the top byte does not count
    assert (await bench.answer(bench.client.read(VA | 1 << 60))).resp == OKAY


async def rate(bench, transfers, kind: str) -> int:
    """Most transactions of `kind` that entered the bus in consecutive cycles."""
    await bench.all_answered()
    assert all(t.resp == OKAY for t in transfers)
    cycles = sorted(s.cycle for s in bench.bus.seen if s.write == (kind == "write"))
    runs = groupby(enumerate(cycles), lambda counted: counted[1] - counted[0])
    return max(len([*run]) for _, run in runs)


@cocotb.parametrize((("kind", "streams"), [("read", 1), ("write", 1), ("read", 8)]))
@bench_test(Bench)
async def a_hit_enters_in_every_cycle(bench, kind, streams):
    """Single beats of one stream, of many, reads or writes; the beats of bursts have no pause."""
    for stream in range(streams):
        (await bench.space(stream)).map(VA, PAGE)
        await bench.answer(bench.client.read(VA, stream=stream))
    bench.bus.seen.clear()
    client = bench.client
    if kind == "read":
        transfers = [client.read(VA, id=n % 16, stream=n % streams) for n in range(200)]
    else:
        transfers = [client.write(VA, [n], id=n % 16) for n in range(200)]
    begin = bench.cycle
    best = await rate(bench, transfers, kind)
    print(f"{kind} {streams}: 200 in {bench.cycle - begin} cycles, {best} without a pause")
    assert best >= RATE, f"{kind}s of {streams} streams: {best} in a row"


RATE = 100
