"""TLBIs that software posts, the sync that waits for them, and agents that a TLBI spares: through
the registers of an IP block that has another MMU beside it, which the bench plays. In the RTL
PostedChecks looks at each agent all the time."""

import random
from itertools import product

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge

from drivers.address_space import USER, small_space
from drivers.ip_driver import COMMAND, OPERAND, SCTLR, IpDriver
from drivers.signals import ALL, EXECUTE, READ, VA
from drivers.started import bench_test
from model.tables import NG
from support.on import On
from support.seed import run_seed

RUNS = [On("mmuip:teaching_dma")]

CYCLES, SYNC = 0x6C, 0x100
POSTED, NOT_CPU, NOT_DEVICES = 1 << 4, 1 << 5, 1 << 6
PLACES = 4
OLD, NEW = 0x9000_0000, 0x9100_0000
# Cycles after acceptance: the CPU's MMU is done, and takes the next one.
COMPLETE, SWEEP = 3, 16 + 3


class Devices:
    """The MMU of devices: it takes what it is told, and is done `delay` cycles later."""

    def __init__(self, dut):
        self.dut = dut
        self.takes, self.delay = True, 1
        self.told: list[int] = []
        self.completed = 0
        self.left: int | None = None
        dut.io_invalidate_cmd_ready.value = dut.io_invalidate_done.value = 0

    async def serve(self) -> None:
        """It drives at the beginning of a cycle, and looks in its midst."""
        while True:
            ready, done = self.takes and self.left is None, self.left == 0
            self.dut.io_invalidate_cmd_ready.value = int(ready)
            self.dut.io_invalidate_done.value = int(done)
            await FallingEdge(self.dut.clk)
            self.completed += done
            if self.left is not None:
                self.left = None if done else self.left - 1
            if ready and int(self.dut.io_invalidate_cmd_valid.value):
                self.told.append(int(self.dut.io_invalidate_cmd_payload_operand.value))
                self.left = self.delay - 1
            await RisingEdge(self.dut.clk)


class PostedDriver(IpDriver):
    def idle(self) -> None:
        super().idle()
        self.devices = Devices(self.dut)

    @classmethod
    async def start(cls, dut):
        bench = await super().start(dut)
        cocotb.start_soon(bench.devices.serve())
        return bench

    async def post(self, page: int, flags: int = 0) -> int:
        """The cycles of the command's store."""
        await self.apb.write64(OPERAND, page)
        return await self.apb.write(COMMAND, VA | POSTED | flags)

    async def sync(self) -> int:
        return await self.apb.write(SYNC, 0)

    async def status(self) -> tuple[int, int, int]:
        """TLBIs that are open, places, TLBIs that waited."""
        word = await self.apb.read(SYNC)
        return word & 15, word >> 8 & 15, word >> 16

    def points_to(self, frame: int) -> None:
        """The page of small_space is there."""
        self.memory.words[self.entry] = frame | NG | USER | 3

    async def finds(self, va: int, frame: int, *, hot: bool) -> None:
        """Both ports, in their TLBs or by a walk."""
        for access in (READ, EXECUTE):
            answer = await self.translate(va, access)
            assert (answer.pa, answer.cycles == 0) == (frame, hot), access

    async def space(self) -> int:
        """A space with one page, of which this is the address."""
        space, va, self.entry = small_space()
        await self.program(space)
        return va


@bench_test(PostedDriver)
async def posted_in_order_and_sync_waits_for_all(bench):
    """The stores of four cost nothing; the agents are told in their order; the sync is
    acknowledged when the slower agent has done the last one, whichever of them is slower."""
    assert await bench.status() == (0, PLACES, 0)
    await bench.apb.write(COMMAND, ALL | POSTED | NOT_CPU)
    assert await bench.apb.read(COMMAND) == ALL | POSTED | NOT_CPU
    assert await bench.sync() < 100
    assert await bench.sync() == 1, "with nothing open it is a store as any other"
    pages = [0x10 + n for n in range(PLACES)]
    for delay in (1, 2, COMPLETE, COMPLETE + 1, SWEEP - 1, SWEEP, SWEEP + 1, 100):
        bench.devices.delay = delay
        bench.devices.told.clear()
        bench.devices.completed = 0
        for page in pages:
            assert await bench.post(page) == 1
        assert await bench.sync() < 500
        assert bench.devices.told == pages
        assert bench.devices.completed == len(pages)
        assert await bench.status() == (0, PLACES, 0)


@bench_test(PostedDriver)
async def a_full_queue_holds_the_sender(bench):
    """One is with the agents and four wait: the sixth store ends when the first is complete. None
    is lost and none comes twice."""
    bench.devices.delay = 200
    for page in range(PLACES + 1):
        assert await bench.post(page) == 1
    assert await bench.status() == (PLACES + 1, PLACES, 0)
    assert bench.devices.completed == 0
    assert await bench.post(PLACES + 1) > 100
    assert bench.devices.completed == 1
    assert await bench.status() == (PLACES + 1, PLACES, 1)
    bench.devices.delay = 1
    await bench.sync()
    assert bench.devices.told == list(range(PLACES + 2))
    assert await bench.status() == (0, PLACES, 1)


@bench_test(PostedDriver)
async def old_translations_until_the_sync_and_none_after(bench):
    """What waits behind a slow one is not done yet: the old page still hits. After the sync it
    does not. The place in the queue does not matter."""
    va = await bench.space()
    for before in range(1, PLACES + 1):
        frame, other = (OLD, NEW) if before % 2 else (NEW, OLD)
        bench.points_to(frame)
        await bench.post(va >> 12)
        await bench.sync()
        await bench.finds(va, frame, hot=False)
        bench.devices.delay = 300
        for n in range(before):
            await bench.post(0x9_0000 + n)
        bench.points_to(other)
        await bench.post(va >> 12)
        assert (await bench.status())[0] == before + 1
        await bench.finds(va, frame, hot=True)
        bench.devices.delay = 1
        await bench.sync()
        await bench.finds(va, other, hot=False)


@bench_test(PostedDriver)
async def who_is_spared_is_not_told(bench):
    """A local TLBI reaches the CPU's MMU alone, one for devices those alone; one that spares both
    is complete all the same. Posted or not."""
    va, frame = await bench.space(), OLD
    bench.devices.delay = 60
    for posted, spared in product((POSTED, 0), (0, NOT_CPU, NOT_DEVICES, NOT_CPU | NOT_DEVICES)):
        await bench.tlbi(ALL)
        bench.devices.told.clear()
        await bench.finds(va, frame, hot=False)
        other = OLD ^ NEW ^ frame
        bench.points_to(other)
        await bench.apb.write64(OPERAND, va >> 12)
        cycles = await bench.apb.write(COMMAND, VA | posted | spared)
        cycles += await bench.sync()
        assert bench.devices.told == ([] if spared & NOT_DEVICES else [va >> 12])
        assert (cycles >= 60) == (not spared & NOT_DEVICES)
        if spared & NOT_CPU:
            await bench.finds(va, frame, hot=True)
            await bench.tlbi(ALL)
        await bench.finds(va, other, hot=False)
        frame = other


@bench_test(PostedDriver)
async def one_that_is_not_posted_waits_for_those_before(bench):
    """Its store ends when it is complete, and so are all that were sent before it."""
    bench.devices.delay = 50
    for page in range(3):
        await bench.post(page)
    assert await bench.tlbi(VA, 3) > 2 * 50
    assert bench.devices.told == [0, 1, 2, 3] and bench.devices.completed == 4
    alone = await bench.apb.read(CYCLES)
    assert alone > 2 * 50, "from its acceptance, when others were before it"
    await bench.tlbi(VA, 4)
    assert await bench.apb.read(CYCLES) == 50 + 1, "with that of its acceptance"
    await bench.post(5)
    assert await bench.apb.read(CYCLES) == 50 + 1, "what is posted is not measured"
    await bench.sync()


@bench_test(PostedDriver)
async def sfence_beside_what_is_posted(bench):
    """At every distance: SFENCE.VMA goes to both, whomever the TLBIs spare, and is complete for the
    CPU once; nothing that is posted is lost or complete too early. It goes before the third one,
    which spares devices, if it comes while the second one waits."""
    bench.devices.delay = 30
    for distance in range(40):
        bench.devices.told.clear()
        bench.devices.completed = 0
        for page in (1, 2, 3):
            await bench.post(page, NOT_DEVICES if page == 3 else 0)
        for _ in range(distance):
            await RisingEdge(bench.dut.clk)
        await bench.invalidate(ALL, limit=3000)
        await bench.sync()
        assert sorted(bench.devices.told) == [0, 1, 2]
        assert [page for page in bench.devices.told if page] == [1, 2]
        assert bench.devices.completed == 3


@bench_test(PostedDriver)
async def a_reset_drops_what_waits(bench):
    """No command of before is offered to anybody; the queue is empty and works."""
    bench.devices.takes = False
    for page in range(PLACES):
        await bench.post(page)
    bench = await PostedDriver.start(bench.dut)
    assert await bench.status() == (0, PLACES, 0)
    await ClockCycles(bench.dut.clk, 50)
    assert not bench.devices.told
    await bench.post(7)
    await bench.sync()
    assert bench.devices.told == [7]


@bench_test(PostedDriver)
async def anything_at_random(bench):
    """One page that moves, and all there is at once: after each sync, and after each TLBI that
    waits, it is where it was moved to last; devices are told all that does not spare them, in
    order."""
    rng = random.Random(run_seed())
    va, expected, fence = await bench.space(), [], None
    for n in range(400):
        bench.devices.delay = rng.choice((1, COMPLETE, 5, SWEEP, 80))
        if rng.random() < 0.2 and (fence is None or fence.done()):
            fence = cocotb.start_soon(bench.invalidate(ALL, limit=3000))
            expected.append(0)
        moves = rng.random() < 0.4
        page = va >> 12 if moves else 0x8_0000 + n
        if moves:
            bench.points_to(OLD + (n << 12))
        flags = 0 if moves else rng.choice((0, NOT_CPU, NOT_DEVICES, NOT_CPU | NOT_DEVICES))
        await bench.apb.write64(OPERAND, page)
        posted = rng.random() < 0.8
        await bench.apb.write(COMMAND, VA | flags | (POSTED if posted else 0))
        if not flags & NOT_DEVICES:
            expected.append(page)
        if posted and rng.random() < 0.4:
            await bench.translate(va)  # what it says is not settled
        if not posted or rng.random() < 0.3:
            await bench.sync()
            frame = bench.memory.words[bench.entry] & ~0xFFF
            answer = await bench.translate(va)
            assert answer.pa & ~0xFFF == frame & 0xFFFF_F000, f"{n}: {answer}"
    await bench.sync()
    if fence:
        await fence
    assert [p for p in bench.devices.told if p] == [p for p in expected if p]
    assert bench.devices.told.count(0) == expected.count(0)
    await bench.apb.write64(SCTLR, 0)
