"""A level-2 cache between a master that does all that AXI allows and a memory that takes its time,
and a model that foretells every burst on both sides."""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import Event, RisingEdge

from support import parts
from unit.cache import geometry
from unit.cache.geometry import Geometry
from unit.cache.l2_model import Burst, Model, error
from unit.cache.memory import LOWMEM, Memory

INCR, WRAP = 1, 2
GEO = geometry.current()
BEATS = GEO.line // 4
AX = ("addr", "len", "size", "burst", "id")


class Input:
    """Of the unit; written where it changes."""

    def __init__(self, handle):
        self.handle, self.value = handle, None

    def put(self, value: int) -> None:
        if value != self.value:
            self.value = self.handle.value = value


@dataclass
class Item:
    """What a source offers, from a cycle on. `what` is of its owner."""

    payload: tuple[int, ...]
    what: object = None
    since: int = 0


class Source:
    """Offers what its queue holds until that is taken."""

    def __init__(self, dut, name: str, *fields: str):
        self.valid, self.ready = Input(getattr(dut, f"{name}valid")), getattr(dut, f"{name}ready")
        self.fields = [Input(getattr(dut, name + field)) for field in fields]
        self.queue: deque[Item] = deque()
        self.pause = 0.0
        self.clear()

    def clear(self) -> None:
        self.queue.clear()
        self.valid.put(0)

    def taken(self) -> Item | None:
        """In this cycle."""
        if not (self.valid.value and self.ready.value):
            return None
        self.valid.put(0)
        return self.queue.popleft()

    def drive(self, rng: random.Random, cycle: int) -> None:
        """For the next cycle."""
        queue = self.queue
        if self.valid.value or not queue or queue[0].since > cycle + 1:
            return
        if not self.pause or rng.random() >= self.pause:
            for signal, value in zip(self.fields, queue[0].payload, strict=True):
                signal.put(value)
            self.valid.put(1)


class Sink:
    """Takes what is offered while something is `expected`: what comes besides stays."""

    def __init__(self, dut, name: str, expected: deque, *fields: str):
        self.expected = expected
        self.valid, self.ready = getattr(dut, f"{name}valid"), Input(getattr(dut, f"{name}ready"))
        self.fields = [getattr(dut, name + field) for field in fields]
        self.pause = 0.0

    def taken(self) -> tuple[int, ...] | None:
        if not (self.ready.value and self.valid.value):
            return None
        return tuple([int(signal.value) for signal in self.fields])

    def drive(self, rng: random.Random) -> None:
        takes = self.expected and (not self.pause or rng.random() >= self.pause)
        self.ready.put(int(bool(takes)))


@dataclass
class Below:
    """What memory has to do: the write-back that is being taken, and what happened when."""

    aw: bool = False
    beats: int = 0
    reads: list[tuple[int, int]] = field(default_factory=list)  # cycle and address
    ahead: list[int] = field(default_factory=list)  # lines read before they were wanted
    used: int = 0  # ... and then came from there
    writes: list[tuple[int, int]] = field(default_factory=list)
    first: list[int] = field(default_factory=list)  # cycle of the first word of each fill
    ended: list[int] = field(default_factory=list)  # of the answer to each write-back

    @property
    def filled(self) -> int:
        """Lines that came from memory because they were wanted, before or when they were."""
        return len(self.reads) + self.used


class L2Bench:
    """`latency`: cycles between an address below and what is answered first."""

    def __init__(self, dut, seed: int, geo: Geometry):
        self.dut, self.random, self.geo = dut, random.Random(seed), geo
        self.memory = Memory()
        self.model = Model(geo, self.memory)
        self.cycle, self.latency, self.progress, self.overtakes = 0, 1, 0, 0.5
        self.ar, self.aw = (Source(dut, f"above_{name}", *AX) for name in ("ar", "aw"))
        self.w = Source(dut, "above_w", "data", "strb", "last")
        self.reads: deque[Burst] = deque()  # accepted and not answered
        self.writes: deque[Burst] = deque()
        self.r = Sink(dut, "above_r", self.reads, "id", "data", "resp", "last")
        self.b = Sink(dut, "above_b", self.writes, "id", "resp")
        write_backs = self.model.write_backs
        self.below_ar = Sink(dut, "below_ar", deque((None,)), *AX)
        self.below_aw = Sink(dut, "below_aw", write_backs, *AX)
        self.below_w = Sink(dut, "below_w", write_backs, "data", "strb", "last")
        self.below_r = Source(dut, "below_r", "id", "data", "resp", "last")
        self.below_b = Source(dut, "below_b", "id", "resp")
        self.sources = (self.ar, self.aw, self.w, self.below_r, self.below_b)
        self.sinks = (self.r, self.b, self.below_ar, self.below_aw, self.below_w)
        self.accepted: list[Burst] = []  # since the last `clear`
        self.below = Below()
        names = ("events_access", "events_miss", "events_writeback", "asyncError")
        self.events = [(n, getattr(dut, f"io_{name}")) for n, name in enumerate(names)]
        self.counts = [0] * len(names)
        self.reset_done: Event | None = None  # of one that is wanted
        self.supply: Callable[[], None] | None = None  # sends more when little is left to do

    @classmethod
    async def start(cls, dut, geo: Geometry, seed: int = 1) -> "L2Bench":
        self = cls(dut, seed, geo)
        await parts.start(dut, **parts.low(dut))
        cocotb.start_soon(self._run())
        return self

    async def _run(self) -> None:
        edge = RisingEdge(self.dut.clk)
        while True:
            await edge
            self.cycle += 1
            self._above()
            self._below()
            for n, event in self.events:
                if event.value:
                    self.counts[n] += 1
            if self.reset_done:
                await self._reset()
            if self.supply and len(self.ar.queue) + len(self.aw.queue) < 3:
                self.supply()
            for source in self.sources:
                source.drive(self.random, self.cycle)
            for sink in self.sinks:
                sink.drive(self.random)
            late = self.cycle - self.progress > 4000
            assert not (late and self.busy), "nothing happens any more"

    # ---- above -----------------------------------------------------------------------------------
    def send(self, address: int, beats: int = 1, **fields) -> Burst:
        """A burst that is begun as soon as those before it let it."""
        burst = Burst(address, beats, **fields)
        ax = (address, beats - 1, burst.size, WRAP if burst.wraps else INCR, burst.id)
        self.progress = self.cycle
        if burst.data is None:
            self.ar.queue.append(Item(ax, burst))
        else:
            self.aw.queue.append(Item(ax, burst))
            beat = zip(burst.data, burst.strobes, range(1, beats + 1), strict=True)
            self.w.queue.extend(Item((data, strobe, n == beats)) for data, strobe, n in beat)
        return burst

    async def do(self, address: int, beats: int = 1, **fields) -> Burst:
        """One that is answered."""
        burst = self.send(address, beats, done=Event(), **fields)
        await burst.done.wait()
        return burst

    def _above(self) -> None:
        self.w.taken()
        begun = [item.what for source in (self.ar, self.aw) if (item := source.taken())]
        assert len(begun) < 2, "a read and a write are accepted in one cycle"
        for burst in begun:
            self._filled(len(self.model.fills))
            burst.accepted = self.cycle
            self.accepted.append(burst)
            self.model.run(burst)
            (self.reads if burst.data is None else self.writes).append(burst)
        if beat := self.r.taken():
            self._answered(self.reads, *beat)
        if beat := self.b.taken():
            identity, resp = beat
            self._answered(self.writes, identity, 0, resp, 1)

    def _answered(self, bursts: deque[Burst], identity: int, value: int, resp: int, last: int):
        burst, self.progress = bursts[0], self.cycle
        n = len(burst.at)
        want, want_resp = burst.expected[n]
        burst.at.append(self.cycle)
        burst.resps.append(resp)
        here, wanted = (identity, resp, last), (burst.id, want_resp, n + 1 == len(burst.expected))
        assert here == wanted, f"cycle {self.cycle}: {here}, not {wanted}: beat {n} of {burst}"
        assert resp or value == want, f"cycle {self.cycle}: {value:#x}: beat {n} of {burst}"
        if last:
            bursts.popleft()
            if burst.done:
                burst.done.set()

    # ---- below -----------------------------------------------------------------------------------
    def _below(self) -> None:
        """Memory answers with what it holds when it takes the address, and holds what is written
        when it has said so."""
        below, beats = self.below, self.geo.line // 4
        if ax := self.below_ar.taken():
            address, line, identity = ax[0], ax[0] & -self.geo.line, ax[-1]
            if identity:
                assert ax == (line, beats - 1, 2, INCR, identity) and identity in (2, 3)
                self.model.read_ahead(line, identity)
                below.ahead.append(line)
            else:
                assert address in self.model.fills, f"{address:#x} is read, which nobody wants"
                self._filled(self.model.fills.index(address))
                assert ax == (self.model.fills.popleft(), beats - 1, 2, WRAP, 0)
                below.reads.append((self.cycle, address))
            comes = []
            for n in range(beats):
                word = line + (address - line + 4 * n) % self.geo.line
                data, since = self.memory.word(word), self.cycle + self.latency
                beat = (identity, data, error(self.memory, word), int(n == beats - 1))
                comes.append(Item(beat, n == 0 and not identity, since))
            self._answer(comes)
        if ax := self.below_aw.taken():
            assert not below.aw, "a second write-back"
            assert ax == (self.model.write_backs[0].line, beats - 1, 2, INCR, 0)
            below.aw = True
            below.writes.append((self.cycle, ax[0]))
        if beat := self.below_w.taken():
            word, last = self.model.write_backs[0].after[below.beats], below.beats == beats - 1
            assert beat == (word, 15, last), f"beat {below.beats} of {self.model.write_backs[0]}"
            below.beats += 1
        if below.aw and below.beats == beats:
            below.aw, below.beats = False, 0
            refused = self.model.write_backs[0].line in self.memory.refuse_write
            self.below_b.queue.append(Item((0, 2 * refused), None, self.cycle + self.latency))
        if (item := self.below_r.taken()) and item.what:
            below.first.append(self.cycle)
        if self.below_b.taken():
            below.ended.append(self.cycle)
            self._commit()

    def _answer(self, beats: list[Item]) -> None:
        """What is wanted may overtake what is read ahead."""
        queue, at = self.below_r.queue, len(self.below_r.queue)
        if not beats[0].payload[0] and self.random.random() < self.overtakes:
            at = next((n for n, item in enumerate(queue) if n and item.payload[0]), at)
        for n, beat in enumerate(beats):
            queue.insert(at + n, beat)

    def _filled(self, count: int) -> None:
        """These fills have not been asked for, so their lines had been read before."""
        for _ in range(count):
            self.model.take_ahead(self.model.fills.popleft() & -self.geo.line)
            self.below.used += 1
        if not self.model.fills:
            self.model.taken.clear()

    def _commit(self) -> None:
        done = self.model.write_backs.popleft()
        if done.line not in self.memory.refuse_write:
            for n, word in enumerate(done.after):
                self.memory.store(done.line + 4 * n, word)

    # ---- as a whole ------------------------------------------------------------------------------
    @property
    def busy(self) -> bool:
        model = self.model
        return bool(
            self.reads or self.writes or self.ar.queue or self.aw.queue
            or model.write_backs or self.below_r.queue
        )  # fmt: skip

    async def drain(self) -> None:
        """Until all is done; then memory is what it must be, and each event was told."""
        quiet = 0  # after the last answer a line may still be filled, and the next one read ahead
        while quiet < 20:
            await RisingEdge(self.dut.clk)
            quiet = 0 if self.busy or self.below_ar.valid.value else quiet + 1
        self.model.void.clear()
        self._filled(len(self.model.fills))
        assert not (self.w.queue or self.below_b.queue)
        assert not any(sink.valid.value for sink in self.sinks), "what nobody needs"
        assert self.memory.words == self.model.image.words
        assert self.counts == self.model.counts, f"events {self.counts}, not {self.model.counts}"

    def clear(self) -> None:
        """Forgets what has happened."""
        self.below = Below()
        self.accepted.clear()
        self.counts, self.model.counts = [0] * 4, [0] * 4

    def pause(self, above: float, below: float) -> None:
        """Of each channel, in which part of the cycles it does nothing."""
        for channel in (self.ar, self.aw, self.w, self.r, self.b):
            channel.pause = above
        for channel in (self.below_ar, self.below_aw, self.below_w, self.below_r, self.below_b):
            channel.pause = below

    async def reset(self) -> None:
        """Whatever is under way. A write-back that memory has not yet answered is done or not."""
        self.reset_done = Event()
        await self.reset_done.wait()

    async def _reset(self) -> None:
        self.dut.reset.value = 1
        if self.below_b.queue and self.random.random() < 0.5:
            self._commit()
        for source in self.sources:
            source.clear()
        self.reads.clear()
        self.writes.clear()
        self.clear()
        self.model.reset()
        for _ in range(2):
            await RisingEdge(self.dut.clk)
        self.dut.reset.value = 0
        self.progress = self.cycle
        self.reset_done.set()
        self.reset_done = None


# ---- what tests have in common -------------------------------------------------------------------
def line(n: int, tag: int = 0) -> int:
    """Number n; each `tag` is another line of its set."""
    return LOWMEM + GEO.line * n + GEO.way_bytes * tag


def data(b: L2Bench, beats: int) -> list[int]:
    return [b.random.getrandbits(32) for _ in range(beats)]


async def fill_set(b: L2Bench, n: int, dirty: bool) -> None:
    """Every way of the set of line n, by tag."""
    for tag in range(GEO.ways):
        await b.do(line(n, tag), data=data(b, 1) if dirty else None)
    await b.drain()
    b.clear()


async def leave(b: L2Bench, one: int, *, written: bool = False) -> None:
    """Other lines come until this one has gone; `written` whole, so nothing is read."""
    other = one
    while any(one in ways for ways in b.model.ways):
        other += GEO.way_bytes
        await b.do(other, *((BEATS,) if written else ()), data=data(b, BEATS) if written else None)
    await b.drain()


async def bench(dut) -> L2Bench:
    return await L2Bench.start(dut, GEO)
