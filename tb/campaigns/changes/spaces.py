"""Address spaces of every format, with the same addresses in each: what a change of registers leads
to is another space, so that an answer tells which registers it is of."""

from dataclasses import dataclass, field, replace

from cases.entries import A, D, R, U, V, W, X, encode_address
from cases.registers import MAIR
from model import Features, Memory, Registers
from model.fields import TG0, TG1
from model.regime import regime_of, table_base
from model.registers import AS_16, HA, HD, IPS_48
from model.riscv import SCHEMES
from model.tables import AF, DBM, NG, READ_ONLY

FIRST = 0x4000_0000  # of the addresses; a multiple of what any set of a TLB has
HIGH = (1 << 64) - (1 << 39) + FIRST  # in the upper half
UPDATED = 0x2_0000  # from there: the page whose leaf is without access flag, and clean
CLEAN = 0x3_0000  # and one that is clean
LENGTH = 0x4_0000
TNSZ = 25
CACHED = 1 << 8 | 1 << 24
TABLES, PAGES = 0x8000_0000, 0x1_A000_0000  # physical; IPS of 32 bits does not reach the pages


def tcr(granule: int, *, upper: int | None = None, tnsz: int = TNSZ) -> int:
    return (tnsz | TG0[granule] << 14 | tnsz << 16 | TG1[upper or granule] << 30
            | IPS_48 | AS_16 | HA | HD | CACHED)  # fmt: skip


@dataclass
class Spaces:
    """Tables in one memory. `leaves`: words that hardware may update."""

    features: Features
    memory: Memory = field(default_factory=Memory)
    leaves: list[int] = field(default_factory=list)
    _table: int = TABLES
    _pages: int = PAGES

    @property
    def words(self) -> dict[int, int]:
        return self.memory.words

    def root(self) -> int:
        """For a first table."""
        self._table += 0x1_0000
        return self._table

    def fill(self, registers: Registers, *, upper: bool = False) -> None:
        """Maps the addresses of a half, each page for itself, to physical ones of its own."""
        first = HIGH if upper else FIRST
        g = regime_of(registers, self.features, registers.half(first)).geometry
        for offset in range(0, LENGTH, 1 << g.granule):
            self._map(registers, first + offset, self._pages + offset)
        self._pages += 0x100_0000

    def _map(self, registers: Registers, va: int, pa: int) -> None:
        regime = regime_of(registers, self.features, registers.half(va))
        g = regime.geometry
        size = 1 << g.entry_log2
        slot = table_base(regime) + (g.first_index(va) << g.entry_log2)
        for level in range(g.start_level, 3):
            entry = self.memory.read(slot, size)
            if not entry & 1:
                entry = encode_address(regime.format, self.root()) | self._pointer(registers)
                self.memory.write(slot, entry, size)
            table = regime.format.table(entry, g)
            slot = table.address + (g.index(va, level + 1) << g.entry_log2)
        offset = va & LENGTH - 1
        accessed = not UPDATED <= offset < UPDATED + max(1 << g.granule, 0x1000)
        clean = UPDATED <= offset < CLEAN + max(1 << g.granule, 0x1000)
        entry = encode_address(regime.format, pa) | self._leaf(registers, accessed, clean)
        self.memory.write(slot, entry, size)
        if clean and not registers.mode:
            self.leaves.append(slot)

    def _pointer(self, registers: Registers) -> int:
        if registers.mode or (registers.d128 and self.features.d128):
            return V
        return 0b11

    def _leaf(self, registers: Registers, accessed: bool, clean: bool) -> int:
        if registers.mode:
            return V | R | W | X | U | A * accessed | D * (not clean)
        flags = AF * accessed | NG | READ_ONLY * clean
        if registers.d128 and self.features.d128:
            return flags | 1 | 7 << 115
        return flags | DBM * clean | 1 << 6 | 0b11

    # ---- registers that lead to spaces ---------------------------------------------------------
    def arm(self, granule: int, asid: int, *, upper: int | None = None, **fields) -> Registers:
        """Of VMSAv8-64 or, with D128 in tcr2, of 128 bits: both halves."""
        registers = Registers(
            tcr=tcr(granule, upper=upper), ttbr0=self.root() | asid << 48,
            ttbr1=self.root() | 7 << 48, mair=MAIR, sctlr=1 | 1 << 2 | 1 << 12, **fields,
        )  # fmt: skip
        self.fill(registers)
        self.fill(registers, upper=True)
        return registers

    def riscv(self, mode: str, asid: int, other: Registers) -> Registers:
        registers = replace(other, satp=SCHEMES[mode].satp(asid, self.root()))
        self.fill(registers)
        return registers
