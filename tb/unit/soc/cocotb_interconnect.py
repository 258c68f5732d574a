"""Interconnect: where an address goes, and that every request is answered."""

import itertools
import random

import cocotb
from cocotb.triggers import ClockCycles, Combine, RisingEdge, with_timeout
from cocotbext.axi import (
    AxiBus,
    AxiMaster,
    AxiMasterRead,
    AxiReadBus,
    AxiResp,
    AxiSlaveWrite,
    AxiWriteBus,
    SparseMemoryRegion,
)

from drivers.started import bench_test
from support.axi_order import ADDRESS_FIRST, DATA_FIRST, ORDERS, InterleavedReads, WriteOrder
from support.on import On
from support.parts import start
from support.streams import StreamMonitor

RUNS = [On("soc_interconnect:teaching")]

LOWMEM, LOWMEM_SIZE = 0x8000_0000, 0x10_0000
HIGHMEM, HIGHMEM_SIZE = 0x1_0000_0000, 0x30_0000
UART, SYSINFO = 0x1000_0000, 0x1003_0000
LINE = 64

# Addresses that no memory and no bridge answers: (address, why)
NOWHERE = [
    (LOWMEM + LOWMEM_SIZE, "first line above the lowmem that exists"),
    (LOWMEM + 0x4000_0000 - LINE, "last line of the lowmem window"),
    (LOWMEM + 0x4000_0000, "above the lowmem window"),
    (HIGHMEM - LINE, "last line below highmem"),
    (HIGHMEM + HIGHMEM_SIZE, "first line above the highmem that exists"),
    (HIGHMEM + 0xFFFF_FFC0, "last line of the highmem window"),
    (HIGHMEM + 0x1_0000_0000, "above the highmem window"),
    (0x8_8000_0000, "lowmem with a bit set above it"),
    (0x8_1000_0000, "a peripheral with a bit set above it"),
    (0x2000_0000, "first address above the bridge"),
]


class Bench:
    @classmethod
    async def start(cls, dut):
        self = cls()
        self.dut = dut
        self.data = AxiMaster(AxiBus.from_prefix(dut, "data"), dut.clk, dut.reset)
        self.uncached = AxiMaster(AxiBus.from_prefix(dut, "uncached"), dut.clk, dut.reset)
        self.fetch = AxiMasterRead(AxiReadBus.from_prefix(dut, "fetch"), dut.clk, dut.reset)
        self.memory = SparseMemoryRegion(1 << 36)
        self.writes = AxiSlaveWrite(
            AxiWriteBus.from_prefix(dut, "memory"), dut.clk, dut.reset, target=self.memory
        )
        self.order = WriteOrder(dut, "memory", self.writes, seed=3)
        self.reads = InterleavedReads(dut, "memory", self.memory, seed=5)
        cocotb.start_soon(StreamMonitor.of(dut).run(dut.clk, dut.reset))
        self.apb = []
        self.apb_wait = 0
        self.apb_error = set()
        await start(dut, io_lowmemBytes=LOWMEM_SIZE, io_highmemBytes=HIGHMEM_SIZE, io_apb_PREADY=0,
                    io_apb_PSLVERROR=0, io_apb_PRDATA=0)  # fmt: skip
        cocotb.start_soon(self._apb())
        return self

    async def _apb(self):
        """An APB slave: reads answer the inverted address, addresses in apb_error an error."""
        dut = self.dut
        while True:
            await RisingEdge(dut.io_apb_PENABLE)
            for _ in range(self.apb_wait):
                await RisingEdge(dut.clk)
            address = int(dut.io_apb_PADDR.value)
            write = int(dut.io_apb_PWRITE.value)
            self.apb.append((address, int(dut.io_apb_PWDATA.value) if write else None))
            dut.io_apb_PRDATA.value = ~address & 0xFFFF_FFFF
            dut.io_apb_PSLVERROR.value = address in self.apb_error
            dut.io_apb_PREADY.value = 1
            await RisingEdge(dut.clk)
            dut.io_apb_PREADY.value = 0
            dut.io_apb_PSLVERROR.value = 0

    @staticmethod
    async def answered(request):
        return await with_timeout(request, 20, "us")

    def master(self, length):
        """Lines and words have a bus each."""
        return self.data if length == LINE else self.uncached

    async def read(self, address, length=LINE):
        return await self.answered(self.master(length).read(address, length))

    async def write(self, address, data):
        return await self.answered(self.master(len(data)).write(address, data))


@bench_test(Bench)
async def both_windows_reach_memory_at_their_own_addresses(bench):
    """Highmem bits lost on the way (a window's offset instead of its address reaches memory)."""
    for address in (LOWMEM, LOWMEM + LOWMEM_SIZE - LINE, HIGHMEM, HIGHMEM + HIGHMEM_SIZE - LINE):
        pattern = address.to_bytes(8, "little") * (LINE // 8)
        assert (await bench.write(address, pattern)).resp == AxiResp.OKAY
        assert await bench.memory.read(address, LINE) == pattern
        assert (await bench.read(address)).data == pattern
        assert (await bench.answered(bench.fetch.read(address, LINE))).data == pattern


@bench_test(Bench)
async def bytes_beside_those_of_a_write_stay(bench):
    """WSTRB lost on the way: a store of a byte would take its neighbours with it."""
    words = random.Random(2).randbytes(8)
    for master in (bench.uncached, bench.data):
        for size in (1, 2):
            for offset in range(0, 8, size):
                await bench.memory.write(LOWMEM, words)
                data = bytes(0xFF ^ byte for byte in words[offset : offset + size])
                written = await bench.answered(master.write(LOWMEM + offset, data))
                assert written.resp == AxiResp.OKAY
                after = words[:offset] + data + words[offset + size :]
                assert await bench.memory.read(LOWMEM, 8) == after, (size, offset)


@bench_test(Bench)
async def what_does_not_exist_is_a_decode_error_for_line_and_word(bench):
    """An unanswered request would hang the CPU; a wrapped one would corrupt memory."""
    for (address, why), length in itertools.product(NOWHERE, (4, LINE)):
        assert (await bench.read(address, length)).resp == AxiResp.DECERR, why
        assert (await bench.write(address, bytes(length))).resp == AxiResp.DECERR, why
        fetched = await bench.answered(bench.fetch.read(address, length))
        assert fetched.resp == AxiResp.DECERR, why
        # The next request is not disturbed.
        await bench.write(LOWMEM, b"good")
        assert (await bench.read(LOWMEM, 4)).data == b"good", why
    assert not bench.apb


@bench_test(Bench)
async def instructions_and_lines_do_not_come_from_peripherals(bench):
    """A jump into a peripheral must fault, and must not pop a FIFO on its way."""
    fetched = await bench.answered(bench.fetch.read(UART, LINE))
    assert fetched.resp == AxiResp.DECERR
    assert (await bench.read(UART, LINE)).resp == AxiResp.DECERR
    assert (await bench.write(UART, bytes(LINE))).resp == AxiResp.DECERR
    assert not bench.apb


@bench_test(Bench)
async def a_waiting_register_holds_up_neither_lines_nor_fetches(bench):
    """Scenario h33: TLBI is answered when a walk is over, and the walk needs memory."""
    bench.apb_wait = 1000
    for write in (False, True):
        waiting = cocotb.start_soon(
            bench.uncached.write(UART, bytes(4)) if write else bench.uncached.read(UART, 4)
        )
        await ClockCycles(bench.dut.clk, 20)
        await bench.write(LOWMEM, bytes(LINE))
        assert (await bench.read(HIGHMEM)).resp == AxiResp.OKAY
        assert (await bench.answered(bench.fetch.read(LOWMEM, LINE))).resp == AxiResp.OKAY
        assert not waiting.done()
        assert (await bench.answered(waiting)).resp == AxiResp.OKAY


@bench_test(Bench)
async def a_part_of_a_register_is_not_written(bench):
    """APB3 has no strobes: a byte would take the other three with it. It is an error instead, no
    transfer, and the next access is not disturbed. A part is read: the word is, and holds it."""
    for bench.apb_wait in (0, 3):
        for offset, length in ((0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (2, 2), (1, 2), (0, 3)):
            bench.apb.clear()
            written = await bench.answered(
                bench.uncached.write(SYSINFO + 8 + offset, b"\xff" * length)
            )
            assert written.resp == AxiResp.SLVERR, (offset, length)
            assert not bench.apb, (offset, length)
            assert (await bench.write(SYSINFO + 8, b"\x78\x56\x34\x12")).resp == AxiResp.OKAY
            assert bench.apb == [(SYSINFO + 8, 0x12345678)]
            part = await bench.answered(bench.uncached.read(UART + offset, length))
            word = (~UART & 0xFFFF_FFFF).to_bytes(4, "little")
            assert part.resp == AxiResp.OKAY
            assert part.data == word[offset : offset + length]


@bench_test(Bench)
async def a_slave_error_belongs_to_its_own_access(bench):
    """SpinalHDL's bridge looks at PSLVERROR in the cycle after the access."""
    bench.apb_error = {SYSINFO + 0x100}
    for bench.apb_wait in (0, 3):
        assert (await bench.read(SYSINFO + 0x100, 4)).resp == AxiResp.SLVERR
        assert (await bench.read(SYSINFO, 4)).resp == AxiResp.OKAY
        assert (await bench.write(SYSINFO + 0x100, bytes(4))).resp == AxiResp.SLVERR
        assert (await bench.write(SYSINFO, bytes(4))).resp == AxiResp.OKAY


@cocotb.test()
async def both_masters_make_progress_under_back_pressure(dut):
    """Answers to the wrong master, starvation of one by the other. Memory takes address and data of
    a write in any order, and answers reads of different masters beat by beat in turn."""
    rng = random.Random(11)
    bench = await Bench.start(dut)
    bench.order.allow(ORDERS)
    bench.reads.pause = 0.3
    for name in ("aw", "w", "b"):
        channel = getattr(bench.writes, f"{name}_channel")
        channel.set_pause_generator(bench.order.pauses(name, random.Random(name), 0.5))
    bench.reads.ar.set_pause_generator(itertools.cycle(rng.choices((0, 1), k=89)))
    contents = {}
    for n in range(32):
        contents[LOWMEM + LINE * n] = rng.randbytes(LINE)
        await bench.memory.write(LOWMEM + LINE * n, contents[LOWMEM + LINE * n])

    async def fetches():
        for _ in range(60):
            address = rng.choice(list(contents))
            assert (await bench.answered(bench.fetch.read(address, LINE))).data == contents[address]

    async def accesses():
        for n in range(60):
            address = HIGHMEM + LINE * rng.randrange(4)
            line = rng.randbytes(LINE)
            await bench.write(address, line)
            assert (await bench.read(address)).data == line
            if n % 5 == 0:
                assert (await bench.read(UART, 4)).resp == AxiResp.OKAY
            if n % 7 == 0:
                assert (await bench.read(0x2000_0000, 4)).resp == AxiResp.DECERR

    await Combine(cocotb.start_soon(fetches()), cocotb.start_soon(accesses()))
    assert bench.order.seen[ADDRESS_FIRST] > 5 and bench.order.seen[DATA_FIRST] > 5
    assert bench.reads.mixed > 20
