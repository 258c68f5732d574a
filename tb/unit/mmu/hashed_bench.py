"""An MMU whose hashed table is on: for cocotb_hashed_table."""

from cocotb.triggers import ClockCycles

from drivers.address_space import AF, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import ALL, READ, VA
from model.hashed_table import HashedTable, Page
from model.memory import Memory
from model.tables import NG, ap
from model.tlbi import va_operand

BASE, GROUPS = 0x1000_0000, 4
MOST = 18  # log2 of the groups of the largest table
CACHED = 1 << 8 | 1 << 24  # TCR: walks of both halves may be cached
HD = 3 << 39
DBM, READ_ONLY = 1 << 51, 1 << 7
TNSZ = {12: 25, 14: 28, 16: 25}
USER = AF | NG | ap(1)


class Bench:
    """An MMU whose hashed table is on, and spaces by ASID."""

    def __init__(self, mmu: MmuDriver, granule: int):
        self.mmu, self.granule = mmu, granule
        self.memory: Memory = mmu.memory
        self.table = HashedTable(self.memory, BASE, GROUPS)
        self.spaces: dict[int, AddressSpace] = {}
        mmu.dut.io_htab.value = self.table.control

    @classmethod
    async def start(cls, dut, granule: int = 12, asids=(1,), tcr: int = 0, groups: int = GROUPS):
        bench = cls(await MmuDriver.start(dut), granule)
        bench.table.groups = groups
        dut.io_htab.value = bench.table.control
        for n, asid in enumerate(asids):
            space = AddressSpace(granule, TNSZ[granule], asid, root=0x4000_0000 + (n << 24))
            space.tables.memory = bench.memory
            bench.spaces[asid] = space
        bench.tcr = tcr
        bench.run_as(asids[0])
        return bench

    def run_as(self, asid: int) -> None:
        registers = self.spaces[asid].registers
        self.asid = asid
        self.mmu.context(**registers | {"tcr": registers["tcr"] | CACHED | self.tcr})

    def page(self, va: int, asid: int | None = None) -> Page:
        return Page(va, self.granule, self.asid if asid is None else asid)

    def map(self, va: int, pa: int, bits: int = USER, level: int = 3) -> int:
        return self.spaces[self.asid].map(va, pa, level, bits)

    async def forget(self) -> None:
        """Nothing is in a TLB."""
        await self.settle()
        await self.mmu.invalidate(ALL)

    async def settle(self) -> None:
        """What is being entered is in memory."""
        await ClockCycles(self.mmu.dut.clk, 8 * (self.mmu.walk.latency + 4))

    async def access(self, va: int, access: int = READ) -> tuple:
        """The answer, and the addresses of all reads and swaps."""
        walk = self.mmu.walk
        walk.reads.clear()
        walk.swaps.clear()
        answer = await self.mmu.translate(va, access)
        return answer, [r.address for r in walk.reads]

    def descriptors(self, reads: list[int]) -> int:
        size = 128 << self.table.groups
        return sum(not BASE <= address < BASE + size for address in reads)

    async def take_away(self, va: int) -> int:
        """Software's part of an unmapping, after it has cleared the descriptor."""
        operand = va_operand(va, self.asid)
        await self.mmu.invalidate(VA, operand)
        found = self.table.take_away(self.page(va))
        if found:
            await self.mmu.invalidate(VA, operand)
        return found

    def slots_of(self, va: int) -> list[int]:
        tags = self.table.tags(va, self.granule, self.asid)
        return [tags.index(at) for at in self.table.of(self.page(va))]
