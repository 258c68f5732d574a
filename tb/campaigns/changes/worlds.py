"""What waits and what changes: for a configuration the worlds, each with its register inputs, the
accesses that wait, and the changes of one input that meet them.

Who invalidates what (DDI 0487, D8.17; privileged ISA 4.2.1): an input that a TLB may keep under the
same ASID is `kept`, and software invalidates after it changes. Nothing is invalidated after a
change of ASID, of satp.MODE, of what no TLB keeps (SCTLR.M and WXN, EPAN, E0PD, TBI), nor of
protection for accesses without translation (3.7.2).
"""

from dataclasses import dataclass, field, replace

from campaigns.changes.oracle import BARE, MACHINE, TRANSLATED, Ask, Inputs
from campaigns.changes.spaces import CLEAN, FIRST, HIGH, PAGES, TNSZ, UPDATED, Spaces
from model import Access, Features, Kind
from model.bits import mask
from model.fields import TG0, TG1
from model.hashed_table import GROUP, HashedTable
from model.memory import Memory
from model.pmp import EXECUTE, LOCKED, NA4, NAPOT, OFF, OPEN, READ, TOR, WRITE
from model.registers import EPAN, WXN
from model.riscv import SCHEMES

PIE, D128 = 1 << 1, 1 << 5
HTAB, GROUPS = 0x7000_0000, 4  # the hashed table, and log2 of its groups
OTHER_HTAB = HTAB + (GROUP << GROUPS)
CODE = 0x9000_0000  # of accesses without translation; 16 MiB there are closed
Entry = tuple[int, int]  # of PMP: its byte of pmpcfg, and pmpaddr
Guard = tuple[Entry, Entry]  # before and after a change
OF_THE_OTHER = ("TCR.TG0", "TCR.TG1", "context")  # changes to another granule
EVERYTHING = (NAPOT | OPEN, mask(32))
BINDING = (NAPOT | OPEN | LOCKED, 0x3_FFFF_F000 >> 2 | 0x1FF)  # M-mode is checked


@dataclass(frozen=True)
class Change:
    """after: the inputs after it; entry: of PMP, the one that differs. kept: a TLB may keep what
    it was before."""

    name: str
    after: Inputs
    kept: bool = False
    entry: int | None = None


def meets(ask: Ask, change: Change) -> bool:
    """Requesters of Sv32 have 32 bits."""
    return change.after.registers.mode != "sv32" or not ask.access.va >> 32


@dataclass
class World:
    """asks: what waits; later: what comes after. leaves: words that updates change."""

    name: str
    inputs: Inputs
    asks: list[Ask]
    changes: list[Change]
    spaces: Spaces
    later: list[Ask] = field(default_factory=list)

    @property
    def words(self) -> dict[int, int]:
        return self.spaces.words

    def add(self, name: str, kept: bool = False, **fields) -> None:
        """A change of these registers."""
        after = replace(self.inputs, registers=replace(self.inputs.registers, **fields))
        self.changes.append(Change(name, after, kept))


def closed(address: int, size: int, rights: int = 0) -> Entry:
    return NAPOT | rights, (address | size // 2 - 1) >> 2


def closes(address: int, size: int, rights: int = 0) -> Guard:
    """A write of pmpcfg turns the entry on."""
    after = closed(address, size, rights)
    return (OFF, after[1]), after


def guards_of(page: int, root: int) -> list[Guard]:
    """Those of a page and of the first table that lead to an access."""
    page &= -0x2000
    return [
        closes(page, 0x2000), closes(page, 0x2000, READ), closes(root, 0x1000),
        closes(page, 8, READ | WRITE),
        (closed(CODE, 0x2000), closed(page, 0x2000)),  # a write of pmpaddr
    ]  # fmt: skip


def turned(here: Inputs, guards: list[Guard], *, kept: bool) -> list[Change]:
    def after(n: int, entry: Entry) -> Inputs:
        return replace(here, pmp=(*here.pmp[:n], entry, *here.pmp[n + 1 :]))

    return [Change("PMP", after(n, entry), kept, n) for n, (_, entry) in enumerate(guards)]


def later(first: int, *vas: int) -> list[Ask]:
    """Reads, and a fetch."""
    return [*(Ask(Access(va)) for va in (first, *vas)), Ask(Access(first, Kind.EXECUTE))]


def _asks(page: int, *, at: bool, upper: bool) -> list[Ask]:
    """`page`: how far the page that is asked for lies behind the first."""
    va, updated = FIRST + page, FIRST + UPDATED
    asks = [
        Access(va), Access(va, Kind.EXECUTE), Access(updated, Kind.WRITE),
        Access(updated, Kind.ATOMIC, el=1), Access(FIRST + CLEAN, Kind.WRITE),
        Access(va, el=1, pan=True), Access(va | 0xA5 << 56),
    ]  # fmt: skip
    asks += [Access(HIGH + page), Access(HIGH + UPDATED, Kind.WRITE)] * upper
    asks += [Access(va, Kind.AT_READ, el=1), Access(va, Kind.AT_WRITE)] * at
    asks += [Access(HIGH + page, Kind.AT_READ, el=1)] * (at and upper)
    return [Ask(access) for access in asks]


@dataclass(frozen=True)
class Machine:
    """What a configuration has, as far as worlds depend on it."""

    features: Features
    protected: bool
    at: bool
    hashed: bool
    block: bool = False  # the MMU with its registers

    def inputs(self, registers, guards: list[Guard], *others: Entry) -> Inputs:
        """guards: entries that a change turns from the first to the second."""
        pmp = (*(before for before, _ in guards), *others, EVERYTHING) if self.protected else ()
        htab = HashedTable(Memory(), HTAB, GROUPS).control if self.hashed else 0
        return Inputs(registers, pmp, htab)

    # ---- VMSAv8-64 -----------------------------------------------------------------------------
    def vmsa(self, granule: int, other: int) -> World:
        """Pages of one granule, and contexts of `other`."""
        spaces = Spaces(self.features)
        r = spaces.arm(granule, asid=1)
        same = spaces.arm(granule, asid=1)
        task = spaces.arm(granule, asid=2)
        coarse = spaces.arm(other, asid=3)
        page = 1 << granule
        guards = guards_of(PAGES + page, r.ttbr0 & mask(48))
        here = self.inputs(r, guards)
        world = World(f"vmsa {granule} {other}", here, _asks(page, at=self.at, upper=True), [],
                      spaces, later(FIRST + page, FIRST + (1 << other), FIRST + 2 * page,
                                    HIGH + page))  # fmt: skip

        def tcr(name: str, flip: int, kept: bool = False) -> None:
            world.add(f"TCR.{name}", kept, tcr=r.tcr ^ flip)

        world.add("SCTLR.M", sctlr=r.sctlr & ~1)
        world.add("SCTLR.WXN", sctlr=r.sctlr ^ WXN)
        world.add("SCTLR.EPAN", sctlr=r.sctlr ^ EPAN)
        for n, codes, low in ((0, TG0, 14), (1, TG1, 30)):
            tcr(f"TG{n}", (codes[granule] ^ codes[other]) << low, kept=True)
            tcr(f"T{n}SZ", (TNSZ ^ (TNSZ + 2)) << 16 * n, kept=True)
            tcr(f"EPD{n}", 1 << (7, 23)[n], kept=True)
            tcr(f"HPD{n}", 1 << 41 + n, kept=True)
            tcr(f"E0PD{n}", 1 << 55 + n)
            tcr(f"TBI{n}", 1 << 37 + n)
        tcr("IPS", 5 << 32, kept=True)
        tcr("HA", 1 << 39, kept=True)
        tcr("HD", 1 << 40, kept=True)
        tcr("A1", 1 << 22)
        asid = mask(16) << 48
        world.add("TTBR0.BADDR", kept=True, ttbr0=same.ttbr0)
        world.add("TTBR0.ASID", ttbr0=r.ttbr0 & ~asid | 9 << 48)
        world.add("TTBR0", ttbr0=task.ttbr0)
        world.add("TTBR1", kept=True, ttbr1=same.ttbr1)
        world.add("MAIR", kept=True, mair=r.mair ^ mask(64))
        # As a whole: a task of another granule, with an ASID of its own.
        world.add("context", tcr=coarse.tcr, ttbr0=coarse.ttbr0, ttbr1=coarse.ttbr1)
        for mode in self.features.modes:
            world.add("satp.MODE", satp=spaces.riscv(mode, 1, r).satp)
        if self.features.d128:
            self._add_d128(spaces, world)
        if self.hashed:
            off, moved = (HashedTable(Memory(), at, GROUPS).control for at in (HTAB, OTHER_HTAB))
            world.changes.append(Change("HTAB", replace(here, htab=off & ~1)))
            world.changes.append(Change("HTAB", replace(here, htab=moved)))
        if self.protected:
            world.changes += turned(here, guards, kept=True)
        return world

    def _add_d128(self, spaces: Spaces, world: World) -> None:
        large = spaces.arm(12, asid=4, tcr2=D128, pir=mask(64) // 15 * 5, pire0=mask(64) // 15 * 7)
        world.add("TCR2.PIE", True, tcr2=PIE)
        world.add("TCR2.D128", True, tcr2=D128)
        world.add("TCR2.FNG0", True, tcr2=1 << 17)
        world.add("PIR", True, pir=mask(64) // 15 * 5)
        world.add("PIRE0", True, pire0=mask(64) // 15 * 7)
        world.add("MAIR2", True, mair2=mask(64) // 255 * 0x44)
        world.add("context", **{field: getattr(large, field) for field in (
            "tcr", "ttbr0", "ttbr1", "tcr2", "pir", "pire0")})  # fmt: skip

    # ---- 128-bit descriptors -------------------------------------------------------------------
    def d128(self) -> World:
        spaces = Spaces(self.features)
        fields = {"tcr2": D128 | PIE, "pir": mask(64) // 15 * 5, "pire0": mask(64) // 15 * 7}
        r = spaces.arm(12, asid=1, **fields)
        task = spaces.arm(14, asid=2, **fields)
        here = self.inputs(r, [])
        asks = _asks(0x1000, at=self.at, upper=True)
        kinds = (Kind.READ, *((Kind.AT_READ, Kind.AT_WRITE) if self.at else ()))
        asks += [Ask(Access(FIRST + (1 << 35), kind, el=1)) for kind in kinds]
        world = World("d128", here, asks, [], spaces,
                      later(FIRST + 0x1000, FIRST + 0x4000, HIGH + 0x1000))  # fmt: skip

        world.add("TCR2.D128", True, tcr2=PIE)
        world.add("TCR2.FNG0", True, tcr2=r.tcr2 | 1 << 17)
        world.add("TCR2.DisCH0", True, tcr2=r.tcr2 | 1 << 14)
        world.add("PIR", True, pir=0)
        world.add("PIRE0", True, pire0=0)
        world.add("MAIR2", True, mair2=mask(64) // 255 * 0x44)
        world.add("MAIR", True, mair=r.mair ^ mask(64))
        world.add("TTBR0High", True, ttbr0=r.ttbr0 | 1 << 80)
        world.add("TTBR1High", True, ttbr1=r.ttbr1 | 1 << 80)
        world.add("TTBR0.ASID", ttbr0=r.ttbr0 ^ 8 << 48)
        world.add("context", tcr=task.tcr, ttbr0=task.ttbr0, ttbr1=task.ttbr1)
        world.add("SCTLR.M", sctlr=r.sctlr & ~1)
        return world

    # ---- RISC-V --------------------------------------------------------------------------------
    def riscv(self, mode: str, *, arm: bool) -> World:
        """arm: satp.MODE = 0 leads to tables, else to the MMU off."""
        spaces = Spaces(self.features)
        other = replace(spaces.arm(14, asid=1), sctlr=int(arm))
        r = spaces.riscv(mode, 1, other)
        same, task = spaces.riscv(mode, 1, other), spaces.riscv(mode, 2, other)
        root = (r.satp & mask(SCHEMES[mode].ppn[0] + 1)) << 12
        guards = guards_of(PAGES + 0x200_1000, root)  # behind the pages of `other`
        here = self.inputs(r, guards)
        asks = [ask for ask in _asks(0x1000, at=self.at, upper=False)
                if ask.access.va < 1 << 32]  # fmt: skip
        name = f"{mode} {'on' if arm else 'off'}"
        world = World(name, here, asks, [], spaces, later(FIRST + 0x1000, FIRST + 0x4000))

        world.add("satp.PPN", True, satp=same.satp)
        world.add("satp", satp=task.satp)
        world.add("satp.ASID", satp=r.satp ^ 8 << SCHEMES[mode].asid[1])
        world.add("satp.MODE", satp=0)
        world.add("SCTLR.M", sctlr=r.sctlr ^ 1)  # nothing changes
        if self.protected:
            world.changes += turned(here, guards, kept=True)
        return world

    # ---- no translation ------------------------------------------------------------------------
    def direct(self, log2: int) -> list[World]:
        """M-mode, bound by a locked entry, and Bare; protection closes so many bytes, or opens
        them. They hold more than what is asked first where pmpaddr does not lie in that."""
        spaces = Spaces(self.features)
        off = replace(spaces.arm(12, asid=1), sctlr=0)
        guards = [closes(CODE, 1 << log2, LOCKED | rights) for rights in (0, READ, EXECUTE)]
        moves = [(closed(CODE, 1 << log2), closed(CODE + (1 << 25), 1 << log2)),
                 (closed(CODE, 1 << log2), (OFF, CODE >> 2))]  # fmt: skip
        rows = {"closes": (guards, BINDING), "locks": (guards, (OFF, 0)),
                "opens": (moves[:1], BINDING), "ends": (moves[1:], BINDING)}  # fmt: skip
        found = []
        for name, (pairs, other) in rows.items():
            here = self.inputs(off, pairs, other)
            changes = turned(here, pairs, kept=False)
            found.append(World(f"{name} {log2}", here, self._direct_asks(), changes, spaces,
                               self._direct_later()))  # fmt: skip
        return found

    def reshaped(self) -> World:
        """One write changes kind, place and rights of an entry. What waits is as free before as
        after: refused only by rights of one with the place of the other, or passed only so."""
        spaces = Spaces(self.features)
        off = replace(spaces.arm(12, asid=1), sctlr=0)
        free, shut, far = LOCKED | OPEN, LOCKED, CODE + 0x3000
        guards = [
            ((TOR | free, CODE >> 2), (NA4 | shut, far >> 2)),  # CODE was the word above
            ((NA4 | free, far >> 2), (TOR | shut, CODE >> 2)),  # no word is in it
            (closed(CODE + 0x1000, 8, free), (NA4 | shut, CODE + 0x1004 >> 2)),
            (closed(CODE + 8, 8, shut), (NA4 | free, far >> 2)),
        ]
        here = self.inputs(off, guards, closed(CODE + 8, 8, shut))
        return World("reshapes", here, self._direct_asks(read=0),
                     turned(here, guards, kept=False), spaces, self._direct_later())  # fmt: skip

    @property
    def _bare(self) -> int:
        """The block makes what it does not translate an access in Bare."""
        return TRANSLATED if self.block else BARE

    def _direct_asks(self, read: int = 0x1000) -> list[Ask]:
        accesses = [Access(CODE + at, kind, el=1) for at, kind in (
            (0x1000, Kind.EXECUTE), (read, Kind.READ), (0x8, Kind.WRITE))]  # fmt: skip
        modes = dict.fromkeys((MACHINE, self._bare, TRANSLATED))
        return [Ask(access, mode) for access in accesses for mode in modes]

    def _direct_later(self) -> list[Ask]:
        rows = ((0x1004, Kind.EXECUTE, MACHINE), (0x1008, Kind.EXECUTE, MACHINE),
                (0x1010, Kind.READ, MACHINE), (0x1014, Kind.READ, self._bare),
                (0x5000, Kind.EXECUTE, self._bare), (0x40_0000, Kind.READ, MACHINE))  # fmt: skip
        return [Ask(Access(CODE + at, kind, el=1), mode) for at, kind, mode in rows]


def worlds(machine: Machine) -> list[World]:
    granules = machine.features.granules
    pairs = [(a, b) for a in granules for b in granules if a != b]
    found = [machine.vmsa(a, b) for a, b in pairs]
    # All else is the same beside any other granule, register by register.
    for world in (w for n, w in enumerate(found) if pairs[n][0] in [a for a, _ in pairs[:n]]):
        world.changes = [change for change in world.changes if change.name in OF_THE_OTHER]
    if machine.features.d128:
        found.append(machine.d128())
    found += [machine.riscv(m, arm=arm) for m in machine.features.modes for arm in (True, False)]
    if machine.protected:
        found += [world for log2 in (24, 13, 3) for world in machine.direct(log2)]
        found.append(machine.reshaped())
    # The block takes its registers one by one: between two of them stands a context of its own.
    for world in found if machine.block else []:
        world.changes = [change for change in world.changes if change.name != "context"]
    return found
