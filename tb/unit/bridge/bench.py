"""The bridge with a walker, a client, a bus and tables."""

from dataclasses import dataclass
from enum import IntEnum, IntFlag

import cocotb
from cocotb.triggers import RisingEdge

from drivers.pmp import Protection
from drivers.ports import InvalidateSide, WalkMemory
from model import Memory, Registers
from model.geometry import Geometry
from model.registers import TG0, TG1
from model.tables import AF, NG, Tables, ap
from model.tlbi import Invalidation, Kind, va_operand
from support import parts
from support.apb import Apb
from unit.bridge.bus import Bus
from unit.bridge.client import Client


class Reg(IntEnum):
    """Registers of the bridge."""

    CONTROL, STATUS, INTERRUPT, STREAM, ROOT_LO, ROOT_HI, CONTEXT = (
        0x00, 0x04, 0x08, 0x10, 0x14, 0x18, 0x1C
    )  # fmt: skip
    FAULT_INFO, FAULT_VA, FAULT_POP, RESUME, STALLED = 0x20, 0x24, 0x2C, 0x30, 0x34
    HITS, MISSES, FAULTS, STALLS = 0x40, 0x44, 0x48, 0x4C


class Status(IntFlag):
    IDLE, FAULT, OVERFLOW = 1, 2, 4


class Mode(IntEnum):
    """Of a stream."""

    OFF, BYPASS, VMSA, RISCV = range(4)


RUN = 1  # in CONTROL
PRIVILEGED, STALLS_ON_FAULT = 1 << 2, 1 << 3

ILLEGAL_BURST, TRANSLATION, ADDRESS_SIZE, PERMISSION = 0x21, 0x04, 0x00, 0x0C
# MAIR: write-back, device nGnRnE, Normal Non-cacheable, write-through, device nGnRE.
MAIR = 0x04_AA_44_00_FF
USER = AF | NG | ap(0b01)
READ_ONLY = AF | NG | ap(0b11)


@dataclass(frozen=True)
class Fault:
    status: int
    write: bool
    execute: bool
    stalls: bool
    slot: int
    stream: int
    id: int
    va: int


class Space:
    """An address space of 4K pages and 39-bit addresses; `root` is where its tables begin."""

    def __init__(self, memory: Memory, asid: int, granule: int = 12):
        self.asid, self.root = asid, 0x4000_0000 + (asid << 24)
        self.tables = Tables(memory, Geometry(granule, 25), self.root, self.root + (1 << 16))

    @property
    def ttbr(self) -> int:
        return self.root | self.asid << 48

    def map(self, va: int, pa: int, bits: int = USER, level: int = 3) -> int:
        return self.tables.map(va, pa, level, bits)

    def unmap(self, va: int, level: int = 3) -> int:
        return self.tables.unmap(va, level)

    def invalidation(self, va: int) -> Invalidation:
        return Invalidation(Kind.VA, va_operand(va, self.asid))


class Bench:
    """`cycle` counts rising edges; `walk` is the memory of the walker."""

    def __init__(self, dut, seed: int = 1):
        self.dut, self.cycle = dut, 0
        self.memory = Memory()
        Protection(dut).open()
        self.walk = WalkMemory(dut, self.memory, 2)
        self.inv = InvalidateSide(dut)
        self.apb = Apb(dut)
        self.registers = {}
        self.context(granule=12)

    def context(self, *, granule: int, tnsz: int = 25, sctlr: int = 1 | 1 << 2, flags: int = 0):
        """The registers that all streams share."""
        tcr = tnsz | tnsz << 16 | TG0[granule] << 14 | TG1[granule] << 30 | 5 << 32 | 1 << 36
        walks = 1 << 8 | 1 << 24  # cacheable
        self.registers = {"tcr": tcr | walks | flags, "mair": MAIR, "sctlr": sctlr}
        for name in ("tcr", "mair", "sctlr", "ttbr0", "ttbr1", "satp"):
            handle = getattr(self.dut, f"io_context_{name}", None)
            if handle is not None:
                handle.value = self.registers.get(name, 0)

    def model(self, space: Space) -> Registers:
        return Registers(**self.registers, ttbr0=space.ttbr)

    @classmethod
    async def start(cls, dut, *, run: bool = True, client: bool = True, bus: bool = True):
        self = cls(dut)
        await parts.start(dut)
        self.bus = Bus(dut) if bus else None
        self.client = Client(dut) if client else None
        cocotb.start_soon(self._run())
        await RisingEdge(dut.clk)
        for stream in range(8):
            await self.stream(stream, Mode.OFF, 0)
        if run:
            await self.apb.write(Reg.CONTROL, RUN)
        return self

    async def _run(self) -> None:
        edge = RisingEdge(self.dut.clk)
        while True:
            await edge
            self.cycle += 1
            self.walk.edge(self.cycle)
            if self.inv.busy:
                self.inv.edge(self.cycle)

    async def stream(self, number: int, mode: int, root: int, flags: int = 0) -> None:
        """Writes a row of the context table."""
        await self.apb.write(Reg.STREAM, number)
        await self.apb.write(Reg.ROOT_LO, root & 0xFFFF_FFFF)
        await self.apb.write(Reg.ROOT_HI, root >> 32)
        await self.apb.write(Reg.CONTEXT, mode | flags)

    async def space(self, stream: int, asid: int | None = None, flags: int = 0) -> Space:
        """An address space of the stream's own."""
        space = Space(self.memory, stream + 1 if asid is None else asid)
        await self.stream(stream, Mode.VMSA, space.ttbr, flags)
        return space

    async def cycles(self, count: int) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    async def until(self, condition, what: str, limit: int = 5000) -> int:
        for n in range(limit):
            if condition():
                return n
            await RisingEdge(self.dut.clk)
        raise AssertionError(f"{what}: not within {limit} cycles")

    async def all_answered(self) -> None:
        await self.until(lambda: not self.client.busy, "all is answered")

    async def answer(self, transfer):
        await self.until(lambda: transfer.done, f"{transfer} is answered")
        return transfer

    async def invalidate(self, op: Invalidation) -> int:
        """Cycles until it is done."""
        self.inv.request(op, self.cycle)
        await self.until(lambda: not self.inv.busy, "the invalidation is done")
        return self.inv.cycles

    async def fault(self) -> Fault | None:
        """Takes the oldest fault from the queue."""
        if not await self.apb.read(Reg.STATUS) & Status.FAULT:
            return None
        info, va = await self.apb.read(Reg.FAULT_INFO), await self.apb.read64(Reg.FAULT_VA)
        await self.apb.write(Reg.FAULT_POP, 1)
        return Fault(info & 0x3F, bool(info >> 6 & 1), bool(info >> 7 & 1), bool(info >> 8 & 1),
                     info >> 12 & 15, info >> 16 & 15, info >> 24 & 0xFF, va)  # fmt: skip

    async def resume(self, fault: Fault, *, retry: bool) -> None:
        await self.apb.write(Reg.RESUME, fault.slot << 12 | fault.write << 6 | retry)


async def slow_walks(dut) -> Bench:
    """A page that hits, one that misses, 16 MiB above it, and behind that only what faults. A walk
    reads a descriptor in 200 cycles."""
    bench = await Bench.start(dut)
    space = await bench.space(0)
    space.map(0x1000_0000, 0x9000_0000)
    space.map(0x1100_0000, 0x9000_1000)
    await bench.answer(bench.client.read(0x1000_0000))
    bench.walk.latency = 200
    return bench
