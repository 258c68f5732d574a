"""Directed scenarios that fill the matrix, as scripts of agents: an access to a page,
and an event at every cycle around it. What the access may answer is said beside each event."""

from dataclasses import dataclass, replace

from campaigns.litmus.script import FAULT
from campaigns.soak.player import registers_line
from drivers.signals import EXECUTE, READ
from model import tlbi
from model.registers import HA, HD, TG0
from model.tables import AF, NG, ap
from unit.mmu.machine import Machine

OLD, NEW, FLAT = 1, 2, 9  # words of data
FLAG, SCRATCH = 0x9000_0000, 0x9000_0008
PA_OLD, PA_NEW = 0x8_0000_0000, 0xC_0000_0000
TNSZ, CONTIGUOUS = 25, 1 << 52
ADDRESS = 0x5_A5A5_A5A0
HIGH = ADDRESS | (1 << 64) - (1 << 64 - TNSZ)  # in the upper half
BESIDE = ADDRESS ^ 1 << 37  # the fetch's
ABORT = 0x14  # external abort on a walk, without its level
TOO_WIDE = FAULT  # address size, level 0


@dataclass(frozen=True)
class Entry:
    """A leaf to be met; `bits`: of its descriptor, beside what all have."""

    granule: int = 12
    level: int = 3
    bits: int = NG
    group: int = 1  # neighbours


ENTRIES = {
    "page_4k": Entry(),
    "page_16k": Entry(14),
    "page_64k": Entry(16),
    "block_1g": Entry(level=1),
    "block_2m": Entry(level=2),
    "block_32m": Entry(14, 2),
    "block_512m": Entry(16, 2),
    "group": Entry(bits=NG | CONTIGUOUS, group=16),
    "global": Entry(bits=0),
}


@dataclass(frozen=True)
class Event:
    """`steps` of the agent that brings it about, as the player reads them; `first` and `then`: what
    the access may answer beside it, and after it; `beside`: what a fetch must answer that is one of
    the steps. `holds`: cycles that a store waits; `later`: cycles from the first step to the event;
    `va`: of the access."""

    name: str
    steps: tuple[str, ...]
    first: tuple[int, ...]
    then: tuple[int, ...]
    holds: range = range(1)
    later: int = 0
    va: int = ADDRESS
    beside: int | None = None


@dataclass
class World:
    """Tables in which the address has the entry, and others that contexts lead to."""

    entry: Entry
    accessed: bool  # the leaf has its access flag

    def __post_init__(self):
        self.old = Machine(self.entry.granule, TNSZ, TNSZ, flags=HA | HD)
        self.leaf = self._map(self.old, self.entry, PA_OLD)
        self.moved = self._map(self._machine(0x5000_0000, self.entry.granule), self.entry, PA_NEW)
        other = Entry({12: 14, 14: 16, 16: 12}[self.entry.granule])
        self.roots = {"moved": 0x5000_0000, "other": 0x6000_0000}
        self._map(self._machine(0x6000_0000, other.granule), other, PA_NEW)
        self.other = other.granule
        self._map(self.old, self.entry, PA_OLD, HIGH)
        self.leaf_beside = self._map(self.old, self.entry, PA_NEW, BESIDE)
        words = self.old.memory.words
        words |= {self._at(PA_OLD): OLD, self._at(PA_NEW): NEW, ADDRESS & -8: FLAT,
                  self._at(PA_NEW, other): NEW, FLAG: 0}  # fmt: skip

    def _machine(self, base: int, granule: int) -> Machine:
        return Machine(granule, TNSZ, TNSZ, base=base, memory=self.old.memory)

    def _span(self, machine: Machine, entry: Entry) -> int:
        return machine.lower.geometry.lsb(entry.level)

    def _map(self, machine: Machine, entry: Entry, pa: int, va: int = ADDRESS) -> int:
        """Returns the address of the leaf."""
        span = self._span(machine, entry)
        bits = entry.bits | ap(0b01) | (AF if self.accessed else 0)
        first = va >> span & -entry.group
        for page in range(first, first + entry.group):
            machine.map(page << span, pa + (page - first << span), entry.level, bits=bits)
        return machine.tables(va).slot(va, entry.level)

    def _at(self, pa: int, entry: Entry | None = None) -> int:
        """Where the address leads in a leaf at `pa`."""
        entry = entry or self.entry
        span = self._span(Machine(entry.granule, TNSZ, TNSZ), entry)
        return pa + (ADDRESS & entry.group * (1 << span) - 1) & -8

    def contexts(self) -> list[str]:
        """Registers by number: as they are; other tables with another ASID and with this one; other
        granule likewise; off."""
        r = self.old.registers
        granule = r.tcr & ~(0b11 << 14) | TG0[self.other] << 14
        roots = [(r.tcr, self.roots["moved"]), (granule, self.roots["other"])]
        changed = [
            replace(r, tcr=tcr, ttbr0=root | asid << 48) for tcr, root in roots for asid in (2, 1)
        ]
        return [registers_line(c) for c in (r, *changed, replace(r, sctlr=r.sctlr & ~1))]

    def events(self) -> list[Event]:
        words = self.old.memory.words
        store = f"s {self.leaf:x} {words[self.moved]:x}"
        page = ADDRESS & -(1 << self.entry.granule)
        half = page - (1 << 48)  # the same page of the upper half
        ranged = tlbi.range_operand(page, self.entry.granule, 3, 0, asid=1)
        commands = {
            "va": (tlbi.Kind.VA, tlbi.va_operand(ADDRESS, 1)),
            "asid": (tlbi.Kind.ASID, tlbi.va_operand(0, 1)),
            "range": (tlbi.Kind.RANGE, ranged),
            "all": (tlbi.Kind.ALL, 0),
        }
        elsewhere = {
            "va": (tlbi.Kind.VA, tlbi.va_operand(half, 1)),
            "asid": (tlbi.Kind.ASID, tlbi.va_operand(0, 9)),
            "range": (
                tlbi.Kind.RANGE, tlbi.range_operand(half, self.entry.granule, 3, 0, asid=1)
            ),
        }  # fmt: skip
        spares = {n: f"i {int(kind)} 0 {operand:x}" for n, (kind, operand) in elsewhere.items()}
        flush = {name: f"i {int(kind)} 0 {operand:x}" for name, (kind, operand) in commands.items()}
        both, stays = (OLD, NEW), (OLD,)
        later = (f"s {SCRATCH:x} 1", "d")  # so that it is another event
        # An entry of all ASIDs stays where an ASID is invalidated or changed.
        end, end_back = ((NEW,), stays) if self.entry.bits & NG else (both, both)
        return [
            *(Event(name, (store, "d", line, "d"), both, end if name == "asid" else (NEW,))
              for name, line in flush.items()),
            *(Event(name, (line, "d"), stays, stays) for name, line in spares.items()),
            Event("context", ("r 1",), both, end),
            Event("context", ("r 2", *later, flush["all"], "d"), both, (NEW,), range(36, 37)),
            Event("granule", ("r 3",), both, end),
            Event("granule", ("r 4", *later, flush["all"], "d"), both, (NEW,), range(36, 37)),
            Event("granule", ("r 3", *later, "r 0"), both, end_back, range(36, 37), later=38),
            # Nothing is invalidated, so either may answer for good.
            Event("granule", ("r 4", *later, "r 0"), both, both, range(36, 37), later=38),
            Event("granule", ("r 4", flush["all"], "d", *later, "r 0", *later, flush["all"], "d"),
                  both, stays, range(36, 37), later=62),
            Event("off", ("r 5",), (OLD, FLAT), (FLAT,)),
            # For one cycle; and with an address that is no physical one, which is answered at once.
            Event("off", ("r 5", "r 0"), (OLD, FLAT), stays),
            Event("off", ("r 5",), (OLD, TOO_WIDE), (TOO_WIDE,), va=HIGH),
            Event("reset", ("z",), stays, stays),
            Event("bus_error",
                  (f"e {self.leaf:x} 1", f"s {SCRATCH:x} 1", "d", f"e {self.leaf:x} 0"),
                  (OLD, FAULT), stays, range(0, 15, 2)),
            Event("timeout", ("h 60",), stays, stays),
            *(self._beside() if self.entry == ENTRIES["page_4k"] else ()),
        ]  # fmt: skip

    def _beside(self) -> list[Event]:
        """What happens to the walk of a fetch while the access hits."""
        fetch = f"t 1 {EXECUTE:x} {BESIDE:x} 2 0"
        leaf, stays = self.leaf_beside, (OLD,)
        return [
            Event("bus_error", (f"e {leaf:x} 1", fetch, f"e {leaf:x} 0"), stays, stays,
                  later=15, beside=FAULT),
            Event("timeout", ("h 60", fetch), stays, stays, later=67, beside=NEW),
        ]  # fmt: skip

    def script(self, event: Event, leads: range) -> list[str]:
        """The access beside the event, and once more after it."""
        leads = range(leads.start + event.later, leads.stop + event.later)
        access = f"{READ:x} {event.va:x}"
        runs = [leads, range(1), range(2, 3), range(2, 3), range(3, 4), range(2, 3), event.holds,
                range(1), range(3)]  # fmt: skip
        return [
            *self.contexts(),
            f"V {int(tlbi.Kind.ALL)} {tlbi.va_operand(event.va, 1):x}",
            "N 3",
            *(f"M {address:x} {value:x}" for address, value in self.old.memory.words.items()),
            f"W 0 {access}",
            "B", *event.steps, f"s {FLAG:x} 1",
            "B", f"t 0 {access} 0 0", f"a {FLAG:x} 1", f"t 0 {access} 1 0",
            "E " + " ".join(f"{r[0]} {r[-1]} {r.step}" for r in runs),
        ]  # fmt: skip
