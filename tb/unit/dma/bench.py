"""The DMA engine with a memory on its bus, and what is watched of that bus."""

import random
from dataclasses import dataclass
from enum import IntEnum

import cocotb
from cocotb.triggers import FallingEdge
from cocotbext.axi import AxiBus, AxiSlave

from support import parts
from support.apb import Apb
from support.axi_order import pauses
from unit.dma.model import BEAT, PAGE, Cause, Entry


class Reg(IntEnum):
    """Registers of the engine."""

    CONTROL, STATUS, INTERRUPT, STREAMS, LIST = 0x00, 0x04, 0x08, 0x0C, 0x10
    ENTRY, BYTES, ERROR, ERROR_VA = 0x18, 0x1C, 0x20, 0x24


BUSY, DONE, FAILED, STOPPED, ENTRY_DONE = 1, 2, 4, 8, 16


START, STOP = 1, 2  # in CONTROL
MOST = 64  # bytes of a burst
LIST_STREAM, SOURCE_STREAM, DESTINATION_STREAM = 1, 2, 5


class Refused(Exception):
    """AxiSlave answers SLVERR."""


class Memory:
    """`errors`: pages that are refused, for reads and writes."""

    def __init__(self, size: int, seed: int = 1):
        self.bytes = bytearray(random.Random(seed).randbytes(size))
        self.errors: set[int] = set()

    def refuses(self, address: int) -> bool:
        return address // PAGE in self.errors

    def _check(self, address: int, length: int) -> None:
        assert address + length <= len(self.bytes), f"{address:#x} is outside of the memory"
        if self.refuses(address):
            raise Refused

    async def read(self, address: int, length: int) -> bytes:
        self._check(address, length)
        return bytes(self.bytes[address : address + length])

    async def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        self.bytes[address : address + len(data)] = data


@dataclass(frozen=True)
class Address:
    """An address that the bus took."""

    write: bool
    address: int
    bytes: int
    stream: int
    cycle: int


class Engine:
    """The registers of an engine, as software uses them, and the memory on its bus."""

    def __init__(self, dut, seed: int, size: int, *, axi: str = "axi", apb: str = "io_apb"):
        self.memory = Memory(size, seed)
        self.slave = AxiSlave(AxiBus.from_prefix(dut, axi), dut.clk, dut.reset, self.memory)
        for half in (self.slave.read_if, self.slave.write_if):
            half.log.setLevel("ERROR")
        self.apb = Apb(dut, apb)

    async def streams(self, source: int, destination: int) -> None:
        await self.apb.write(Reg.STREAMS, LIST_STREAM | source << 8 | destination << 16)

    def write_list(self, entries: list[Entry], at: int) -> None:
        data = b"".join(entry.encode() for entry in entries)
        self.memory.bytes[at : at + len(data)] = data

    async def begin(self, entries: list[Entry], at: int = 0) -> None:
        self.write_list(entries, at)
        await self.apb.write64(Reg.LIST, at)
        await self.apb.write(Reg.CONTROL, START)

    async def status(self) -> int:
        return await self.apb.read(Reg.STATUS)

    async def ended(self, limit: int = 20_000) -> int:
        """STATUS when the engine is not busy any more."""
        for _ in range(limit):
            status = await self.status()
            if not status & BUSY:
                return status
        raise AssertionError(f"the engine is busy after {limit} looks")

    async def run(self, entries: list[Entry], at: int = 0) -> int:
        await self.begin(entries, at)
        return await self.ended()

    async def error(self) -> tuple[Cause, int, int]:
        """Cause, response and address."""
        error = await self.apb.read(Reg.ERROR)
        return Cause(error & 7), error >> 4 & 3, await self.apb.read64(Reg.ERROR_VA)

    async def progress(self) -> tuple[int, int]:
        return await self.apb.read(Reg.ENTRY), await self.apb.read(Reg.BYTES)


class Bench(Engine):
    """`addresses` and `beats`, of R and W, are what the bus took; `answers` counts B. `cycle`
    counts cycles."""

    def __init__(self, dut, seed: int, size: int):
        super().__init__(dut, seed, size)
        self.dut, self.random, self.cycle = dut, random.Random(seed), 0
        self.channels = {
            "ar": self.slave.read_if.ar_channel, "r": self.slave.read_if.r_channel,
            "aw": self.slave.write_if.aw_channel, "w": self.slave.write_if.w_channel,
            "b": self.slave.write_if.b_channel,
        }  # fmt: skip
        self.addresses: list[Address] = []
        self.beats = {"r": 0, "w": 0}
        self.answers = 0

    @classmethod
    async def start(cls, dut, seed: int = 1, size: int = 16 * PAGE):
        self = cls(dut, seed, size)
        await parts.start(dut)
        await self.streams(SOURCE_STREAM, DESTINATION_STREAM)
        cocotb.start_soon(self._watch())
        return self

    def _get(self, name: str) -> int:
        return int(getattr(self.dut, f"axi_{name}").value)

    def _fires(self, channel: str) -> bool:
        return bool(self._get(f"{channel}valid") and self._get(f"{channel}ready"))

    async def _watch(self) -> None:
        while True:
            await FallingEdge(self.dut.clk)
            self.cycle += 1
            for channel in ("ar", "aw"):
                if self._fires(channel):
                    self._address(channel)
            for channel in self.beats:
                self.beats[channel] += self._fires(channel)
            self.answers += self._fires("b")

    def _address(self, kind: str) -> None:
        """A legal burst of whole beats."""
        address, length = self._get(f"{kind}addr"), (self._get(f"{kind}len") + 1) * BEAT
        assert self._get(f"{kind}burst") == 1 and self._get(f"{kind}size") == 2
        assert address % BEAT == 0, f"{kind} {address:#x}: not a whole beat"
        assert address // PAGE == (address + length - 1) // PAGE, f"{kind} {address:#x}: leaves 4K"
        stream = self._get(f"{kind}user")
        self.addresses.append(Address(kind == "aw", address, length, stream, self.cycle))

    def of(self, write: bool) -> list[Address]:
        """Without those of the list."""
        return [a for a in self.addresses if a.write == write and a.stream != LIST_STREAM]

    def slow(self, probability: float) -> None:
        for channel in self.channels.values():
            channel.set_pause_generator(pauses(self.random, probability))

    def hold(self, channel: str, pause: bool) -> None:
        self.channels[channel].pause = pause

    async def cycles(self, count: int) -> None:
        for _ in range(count):
            await FallingEdge(self.dut.clk)

    async def until(self, condition, what: str, limit: int = 5000) -> int:
        return await parts.until(self.dut, condition, what, limit)
