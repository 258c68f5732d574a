"""Random traffic of a real client, AxiMaster of cocotbext-axi, while software changes tables,
invalidates, serves faults, shuts the bridge and opens it again. SEED repeats a run, BEATS lengthens
it."""

import os
import random
import time
from collections import Counter

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiMaster, AxiResp

from support.on import On
from support.seed import run_seed
from unit.bridge.bench import RUN, STALLS_ON_FAULT, Bench, Mode, Reg, Status
from unit.bridge.world import FRAMES, PAGES, Version, World, content

RUNS = [On("devicemmu:vmsa48_nocache")]

SPACES, BYPASSES, IS_OFF, STALLS = (0, 1, 2, 3), 4, 5, 3
OPEN = 40  # operations that the client has under way at most
HAPPENS = ("reads", "writes", "refused", "invalidations", "faults", "retries", "terminations",
           "shut downs")  # fmt: skip
MOST = 10  # times as many beats as asked for, at most, until all of these happened


def master(dut) -> AxiMaster:
    client = AxiMaster(AxiBus.from_prefix(dut, "client"), dut.clk, dut.reset)
    for half in (client.read_if, client.write_if):
        half.log.setLevel("ERROR")
    return client


class Traffic:
    def __init__(self, bench: Bench, rng: random.Random):
        self.bench, self.rng = bench, rng
        self.client = master(bench.dut)
        self.open = self.beats = self.token = 0
        self.counts = Counter()
        self.written: dict[int, int] = {}  # the address of each word that the bus was given
        bench.bus.on_write = self._note
        self.running = True

    def _note(self, write) -> None:
        self.bench.bus.seen.clear()  # a long run remembers nothing
        for address, data, strobes in write.data:
            if strobes == 15:
                self.written[data] = address

    async def start(self) -> None:
        bench = self.bench
        spaces = {n: await bench.space(n, flags=STALLS_ON_FAULT * (n == STALLS)) for n in SPACES}
        await bench.stream(BYPASSES, Mode.BYPASS, 0)
        await bench.stream(IS_OFF, Mode.OFF, 0)
        self.world = World(self.rng, spaces)
        for page in self.world.pages.values():
            self.world.map(page, bench.cycle)

    def _place(self) -> tuple[int, int, object]:
        """A stream, an address, and what its page was from one cycle to another."""
        rng = self.rng
        stream = rng.choices((*SPACES, BYPASSES, IS_OFF), (6, 6, 6, 3, 2, 0.3))[0]
        offset = rng.randrange(1 << 12)
        if stream == BYPASSES:
            frame = rng.randrange(FRAMES) << 12
            return stream, frame + offset, lambda *_: [Version(frame, True, 0)]
        if stream == IS_OFF:
            return stream, offset, lambda *_: [Version(None, False, 0)]
        number = rng.randrange(PAGES)
        page = self.world.pages[stream, number]
        return stream, page.va + offset, page.during

    async def operation(self) -> None:
        rng, bench = self.rng, self.bench
        stream, va, versions = self._place()
        room = 4096 - (va & 0xFFF)
        length = min(rng.choice((1, 4, 4, 16, 64, 64, 256, 1024)), room)
        start, write = bench.cycle, rng.random() < 0.5
        options = {"user": stream, "size": rng.choice((2, 2, 2, 1, 0)) if length <= 16 else 2}
        step = 1 << options["size"]
        self.beats += (va + length + step - 1) // step - va // step
        identity = rng.randrange(16)
        if write:
            va, length = va & -4, length + 3 & -4
            options["size"] = 2
            length = min(length, 4096 - (va & 0xFFF))
            tokens = range(self.token, self.token + length // 4)
            self.token += length // 4
            data = b"".join(t.to_bytes(4, "little") for t in tokens)
            answer = await self.client.write(va, data, awid=identity, **options)
        else:
            answer = await self.client.read(va, length, arid=identity, **options)
        seen = versions(start, bench.cycle)
        offset = va & 0xFFF
        what = f"{'write' if write else 'read'} {va:#x}+{length} stream {stream} id {identity}"
        if answer.resp == AxiResp.SLVERR:
            self.counts["refused"] += 1
            assert any(not v.allows(write) for v in seen), f"{what}: SLVERR, {seen}"
            if write:
                assert not any(t in self.written for t in tokens), f"{what}: written all the same"
            return
        assert answer.resp == AxiResp.OKAY
        self.counts["writes" if write else "reads"] += 1
        pages = [v.pa for v in seen if v.allows(write)]
        if write:
            places = [self.written.pop(t) for t in tokens]
            assert places == list(range(places[0], places[0] + length, 4)), what
            assert places[0] - offset in pages, f"{what}: at {places[0]:#x}, {seen}"
        else:
            found = any(answer.data == content(pa + offset, length) for pa in pages)
            assert found, f"{what}: {answer.data[:8].hex()}, {seen}"

    async def _client(self, count: int) -> None:
        async def one():
            await self.operation()
            self.open -= 1

        while self.beats < count or self.lacks() and self.beats < MOST * count:
            while self.open < OPEN:
                self.open += 1
                cocotb.start_soon(one())
            for _ in range(self.rng.choice((1, 1, 10))):
                await RisingEdge(self.bench.dut.clk)
        await self.bench.until(lambda: not self.open, "all is answered", 200_000)
        self.running = False

    def lacks(self) -> list[str]:
        """What happened too seldom so far: a short run goes on until it has seen everything."""
        return [what for what in HAPPENS if self.counts[what] < 3]

    async def _software(self) -> None:
        """Changes tables, and sends the invalidation that it owes."""
        rng, bench = self.rng, self.bench
        while self.running:
            await bench.cycles(rng.randrange(400))
            if rng.random() < 0.5:
                self.world.map_some(bench.cycle)
            else:
                op = self.world.unmap(bench.cycle)
                bench.inv.request(op, bench.cycle)
                self.counts["invalidations"] += 1
                await bench.until(lambda: not bench.inv.busy, "the invalidation is done", 50_000)
                self.world.invalidated(bench.cycle)

    async def _driver(self) -> None:
        """Serves faults, and shuts down now and then."""
        rng, bench = self.rng, self.bench
        while self.running:
            for _ in range(12):
                fault = await bench.fault()
                if fault is None:
                    break
                self.counts["faults"] += 1
                if fault.stalls:
                    await self._resume(fault.slot << 12 | fault.write << 6)
            status = await bench.apb.read(Reg.STATUS)
            if not status & Status.FAULT:  # what stalled while the queue was full
                stalled = await bench.apb.read(Reg.STALLED)
                for slot in range(8):
                    for write in range(2):
                        if stalled >> slot + 16 * write & 1 and rng.random() < 0.2:
                            await self._resume(slot << 12 | write << 6)
            if rng.random() < 0.03:
                await self._restart()
            await bench.cycles(rng.randrange(60))

    async def _resume(self, slot: int) -> None:
        retry = self.rng.random() < 0.5
        if retry:
            self.world.map_some(self.bench.cycle)
        self.counts["retries" if retry else "terminations"] += 1
        await self.bench.apb.write(Reg.RESUME, slot | retry)

    async def _restart(self) -> None:
        bench = self.bench
        await bench.apb.write(Reg.CONTROL, 0)
        for _ in range(200):
            status = await bench.apb.read(Reg.STATUS)
            if status & Status.IDLE or await bench.apb.read(Reg.STALLED):
                break
        self.counts["shut downs"] += bool(status & Status.IDLE)
        await bench.apb.write(Reg.CONTROL, RUN)

    async def _conditions(self) -> None:
        """How quick bus and walks are."""
        rng, bench = self.rng, self.bench
        while self.running:
            bench.bus.slow(rng.choice((0, 0, 0.3, 0.8)))
            choices = rng.choice(((2,), (1, 2, 3), (1, 5, 40)))
            bench.walk.latency = lambda choices=choices: rng.choice(choices)
            await bench.cycles(3000)

    async def run(self, beats: int) -> None:
        for work in (self._software, self._driver, self._conditions):
            cocotb.start_soon(work())
        await self._client(beats)


@cocotb.test()
async def random_traffic(dut):
    """Reads and writes of 16 IDs and 6 streams."""
    seed, beats = run_seed(), int(os.environ.get("BEATS") or 20_000)
    bench = await Bench.start(dut, client=False)
    traffic = Traffic(bench, random.Random(seed))
    await traffic.start()
    began, cycle = time.monotonic(), bench.cycle
    await traffic.run(beats)
    seconds = time.monotonic() - began
    print(f"random traffic: {traffic.beats} beats in {bench.cycle - cycle} cycles, "
          f"{traffic.beats / seconds:.0f} a second: {dict(traffic.counts)}")  # fmt: skip
    assert not traffic.lacks(), f"fewer than three: {traffic.lacks()} of {traffic.counts}"
