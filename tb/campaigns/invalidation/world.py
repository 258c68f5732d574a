"""A main TLB can hold exactly the pages that there are, half of them for each ASID; and commands
that cover some of them, which are measured."""

from typing import NamedTuple

from drivers.lockstep import MmuBench
from model import Access, Features, Translation, translate
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, Kind, range_operand, va_operand
from unit.mmu.machine import Machine

PHYSICAL = 1 << 32
PAGE = 1 << 12
OURS, OTHERS = 1, 2  # ASIDs
HOME = {OURS: 0x12_4000_0000, OTHERS: 0x12_8000_0000}


class Case(NamedTuple):
    """Commands one after the other, for the first `pages` of OURS; None: no page in particular."""

    name: str
    commands: tuple[Invalidation, ...]
    pages: int | None = None

    def covers(self, asid: int, number: int) -> bool:
        ours = asid == OURS and (self.pages is None or number < self.pages)
        return ours or self.name == "all"


def single(number: int) -> Invalidation:
    return Invalidation(Kind.VA, va_operand(HOME[OURS] + number * PAGE, OURS))


def ranged(num: int, scale: int) -> Invalidation:
    return Invalidation(Kind.RANGE, range_operand(HOME[OURS], 12, num, scale, asid=OURS))


CASES = (
    Case("a page", (single(0),), 1),
    Case("16 pages, a range", (ranged(7, 0),), 16),
    Case("16 pages, one by one", tuple(map(single, range(16))), 16),
    Case("1,024 pages, a range", (ranged(15, 1),), 1024),
    Case("1,024 pages, one by one", tuple(map(single, range(1024))), 1024),
    Case("an ASID", (Invalidation(Kind.ASID, va_operand(0, OURS)),)),
    Case("all", (Invalidation(Kind.ALL),)),
)


def attributes(n: int) -> int:
    """Of page n: all eight memory types in turn, so that neighbours differ."""
    return AF | NG | ap(1) | n % 8 << 2


class Pages:
    """Tables that map `each` pages for each ASID, and the registers of an ASID."""

    def __init__(self, entries: int):
        self.each = entries // len(HOME)
        self._machine = Machine(12)
        self.memory = self._machine.memory
        for asid, home in HOME.items():
            for n in range(self.each):
                self._machine.map(home + n * PAGE, self.place(asid, n), bits=attributes(n))
        self.registers = {asid: self._machine.with_asid(asid) for asid in HOME}

    def translation(self, features: Features, asid: int, n: int) -> Translation:
        """What the golden model says to a read."""
        access = Access(HOME[asid] + n * PAGE)
        found = translate(self.registers[asid], features, self.memory, access)
        assert isinstance(found, Translation), found
        return found

    def place(self, asid: int, n: int) -> int:
        return PHYSICAL + ((asid * self.each + n) << 12)


class World:
    """The pages on a machine under cocotb."""

    def __init__(self, bench: MmuBench, entries: int):
        self.bench, self._pages = bench, Pages(entries)
        self.each = self._pages.each
        bench.use_memory(self._pages.memory)

    @classmethod
    async def start(cls, dut, entries: int) -> "World":
        world = cls(await MmuBench.start(dut), entries)
        await world.bench.step(entries + 8)  # after a reset its places are cleared first
        return world

    def run_as(self, asid: int) -> None:
        self.bench.context(self._pages.registers[asid])

    async def is_there(self, asid: int, n: int) -> bool:
        """Also makes it so. ASID runs."""
        self.bench.walk.reads.clear()
        await self.bench.check(Access(HOME[asid] + n * PAGE))
        return not self.bench.walk.reads

    async def count(self, wanted) -> tuple[int, int]:
        """Of the pages that are wanted, those that are gone and those that are there."""
        found = []
        for asid in HOME:
            self.run_as(asid)
            for n in range(self.each):
                if wanted(asid, n):
                    found.append(await self.is_there(asid, n))
        return found.count(False), found.count(True)

    async def fill(self) -> None:
        await self.bench.invalidate_all()
        await self.count(lambda asid, n: True)
        gone, _ = await self.count(lambda asid, n: True)
        assert gone == 0, f"{gone} of {self.each * len(HOME)} pages do not stay"
