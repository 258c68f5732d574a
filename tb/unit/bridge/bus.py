"""The bus behind the bridge: a memory that answers the transactions of different IDs in any order
and beat by beat, those of one ID in theirs."""

import random
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiResp
from cocotbext.axi.axi_channels import AxiARSink, AxiAWSink, AxiBSource, AxiRSource, AxiWSink

from support.axi_order import pauses

FIXED, INCR, WRAP = range(3)
WORD = 4


def word(address: int) -> int:
    """What memory holds at a physical address: each word is unlike any other one."""
    return (address * 0x9E3779B1 + (address >> 32) * 0x85EBCA6B) >> 2 & 0xFFFF_FFFF


def beats(address: int, length: int, size: int, burst: int) -> list[int]:
    """Addresses of the beats (A3.4.1); `length` of them."""
    step = 1 << size
    start = address & -step
    if burst == FIXED:
        return [address] * length
    if burst == WRAP:
        bottom = start // (step * length) * step * length
        return [bottom + (start - bottom + n * step) % (step * length) for n in range(length)]
    return [address, *(start + n * step for n in range(1, length))]


@dataclass
class Seen:
    """An address that the bus took, and the data of a write: (address, data, strobes)."""

    address: int
    id: int
    length: int
    size: int
    burst: int
    lock: int
    cache: int
    prot: int
    cycle: int
    write: bool = False
    data: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def beats(self) -> list[int]:
        return beats(self.address, self.length, self.size, self.burst)


class Bus:
    """`pause`: probability that no answer begins in a cycle; `holds`: none is given. `errors`:
    pages whose reads and writes end in DECERR."""

    def __init__(self, dut, seed: int = 1):
        axi = AxiBus.from_prefix(dut, "bus")
        clock = dut.clk, dut.reset
        self.dut, self.random = dut, random.Random(seed)
        self.ar, self.r = AxiARSink(axi.read.ar, *clock), AxiRSource(axi.read.r, *clock)
        self.aw, self.w = AxiAWSink(axi.write.aw, *clock), AxiWSink(axi.write.w, *clock)
        self.b = AxiBSource(axi.write.b, *clock)
        for channel in self.channels:
            channel.log.setLevel("ERROR")
        self.pause, self.holds, self.mixed, self.cycle = 0.0, False, 0, 0
        self.errors: set[int] = set()
        self.seen: list[Seen] = []
        self.on_write = None  # called with each write of which all data is there
        self._owed = [], []  # reads, writes that have no answer yet
        self._reads: dict[int, list[list[tuple[int, bool]]]] = {}
        self._writes: dict[int, list[int]] = {}
        self._data: list[tuple[int, int]] = []
        cocotb.start_soon(self._run())

    @property
    def channels(self):
        return self.ar, self.r, self.aw, self.w, self.b

    @property
    def reads(self) -> list[Seen]:
        return [s for s in self.seen if not s.write]

    @property
    def writes(self) -> list[Seen]:
        return [s for s in self.seen if s.write]

    def slow(self, probability: float) -> None:
        """Back-pressure on what the bus takes, and pauses in what it gives."""
        self.pause = probability
        for channel in (self.ar, self.aw, self.w):
            if probability:
                channel.set_pause_generator(pauses(self.random, probability))
            else:
                channel.clear_pause_generator()

    def _saw(self, ax, kind: str) -> Seen:
        get = {name: int(getattr(ax, f"{kind}{name}")) for name in
               ("addr", "id", "len", "size", "burst", "lock", "cache", "prot")}  # fmt: skip
        seen = Seen(get["addr"], get["id"], get["len"] + 1, get["size"], get["burst"],
                    get["lock"], get["cache"], get["prot"], self.cycle, kind == "aw")  # fmt: skip
        self.seen.append(seen)
        return seen

    async def _run(self) -> None:
        edge = RisingEdge(self.dut.clk)
        while True:
            await edge
            self.cycle += 1
            while not self.ar.empty():
                seen = self._saw(self.ar.recv_nowait(), "ar")
                burst = [(a, n == seen.length - 1) for n, a in enumerate(seen.beats)]
                self._reads.setdefault(seen.id, []).append(burst)
            while not self.aw.empty():
                self._owed[1].append(self._saw(self.aw.recv_nowait(), "aw"))
            while not self.w.empty():
                beat = self.w.recv_nowait()
                self._data.append((int(beat.wdata), int(beat.wstrb), int(beat.wlast)))
            self._match()
            if not self.holds:
                self._answer_read()
                self._answer_write()

    def _match(self) -> None:
        """Data goes to addresses in the order of these; WLAST must be where AWLEN says."""
        while self._owed[1] and len(self._data) >= self._owed[1][0].length:
            write = self._owed[1].pop(0)
            data, self._data = self._data[: write.length], self._data[write.length :]
            lasts = [last for *_, last in data]
            assert lasts == [0] * (write.length - 1) + [1], f"WLAST of {write}: {lasts}"
            write.data = [(a, d, s) for a, (d, s, _) in zip(write.beats, data, strict=True)]
            self._writes.setdefault(write.id, []).append(write.address)
            if self.on_write:
                self.on_write(write)

    def _refuses(self, address: int) -> bool:
        return address >> 12 in self.errors

    def _next(self, channel, owed: dict[int, list]) -> int | None:
        """The ID that gets an answer in this cycle, if any does."""
        if channel.count() > 1 or self.random.random() < self.pause:
            return None
        waiting = [identity for identity, answers in owed.items() if answers]
        return self.random.choice(waiting) if waiting else None

    def _answer_read(self) -> None:
        if (identity := self._next(self.r, self._reads)) is None:
            return
        burst = self._reads[identity][0]
        address, last = burst.pop(0)
        if last:
            self._reads[identity].pop(0)
        beat = self.r._transaction_obj()
        beat.rid, beat.rlast, beat.rdata = identity, last, word(address & -WORD)
        beat.rresp = AxiResp.DECERR if self._refuses(address) else AxiResp.OKAY
        self.r.send_nowait(beat)

    def _answer_write(self) -> None:
        if (identity := self._next(self.b, self._writes)) is None:
            return
        beat = self.b._transaction_obj()
        refused = self._refuses(self._writes[identity].pop(0))
        beat.bid, beat.bresp = identity, AxiResp.DECERR if refused else AxiResp.OKAY
        self.b.send_nowait(beat)
