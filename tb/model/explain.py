"""A translation told level by level, for people."""

from collections.abc import Iterable
from dataclasses import dataclass

from .access import Access
from .descriptor import Type
from .faults import Fault
from .features import Features
from .memory import BusError, Memory
from .regime import Regime, regime_of
from .registers import Registers, is_device, is_non_cacheable
from .walk import Translation, implemented, translate

SIZES = ("bytes", "KiB", "MiB", "GiB", "TiB")
FAULTS = {
    "Translation": "translation fault",
    "AddressSize": "address size fault",
    "AccessFlag": "access flag fault",
    "Permission": "permission fault",
    "ExtAbortWalk": "bus error during the walk",
    "Alignment": "alignment fault",
    "UnsupportedHWUpdate": "the memory cannot update the entry",
    "TLBConflict": "two TLB entries match",
}


def size(log2: int) -> str:
    """ "4 KiB" for 12."""
    unit = min(log2 // 10, len(SIZES) - 1)
    return f"{1 << (log2 - 10 * unit)} {SIZES[unit]}"


def rights(outcome: Translation) -> str:
    verbs = [verb for verb, may in (("read", outcome.rights.r), ("write", outcome.rights.w),
                                    ("execute", outcome.rights.x)) if may]  # fmt: skip
    return (
        " and ".join([", ".join(verbs[:-1]), verbs[-1]] if len(verbs) > 1 else verbs) or "nothing"
    )


def memory_type(outcome: Translation) -> str:
    if is_device(outcome.attr):
        return "device memory"
    return "memory that is not cached" if is_non_cacheable(outcome.attr) else "cached memory"


@dataclass(frozen=True)
class Step:
    """One entry that a walk read.

    chosen      the address bits that chose it, in words.
    descriptor  None: the memory answered with a bus error.
    meaning     what the descriptor says, in words.
    again       the walk begins again here: the entry changed before it could be updated.
    """

    level: int
    chosen: str
    address: int
    descriptor: int | None
    size: int
    meaning: str
    again: bool = False

    @property
    def lines(self) -> list[str]:
        held = "bus error"
        if self.descriptor is not None:
            held = f"0x{self.descriptor:0{2 * self.size}x}"
        told = [f"  level {self.level:<2}  {self.chosen:<26} entry at 0x{self.address:x}: {held}"]
        told += [f"            {self.meaning}"] if self.meaning else []
        restart = "  the entry changed meanwhile, so the walk begins again"
        return [restart, *told] if self.again else told


class Story:
    """The steps of one walk; `level` is that of the entry to be read next."""

    def __init__(self, regime: Regime, access: Access):
        self.regime, self.access = regime, access
        self.steps: list[Step] = []
        self.start()

    def start(self) -> None:
        g = self.regime.geometry
        self.level, self.skl = g.start_level, 0
        self.first, self.at_leaf = True, False

    def bits(self) -> tuple[int, int, int]:
        """The address bits that choose the entry, and their value."""
        g, va = self.regime.geometry, self.access.va
        low = g.lsb(self.level)
        if self.first:
            return g.input_size - 1, low, g.first_index(va)
        return low + (self.skl + 1) * g.stride - 1, low, g.index(va, self.level, self.skl)

    def read(self, address: int, entry: int | None, again: bool) -> None:
        """One entry: where it is, what it says."""
        level = self.level
        high, low, index = self.bits()
        if high < low:
            chosen = "the only entry"
        elif high == low:
            chosen = f"address bit  {low:5} = {index}"
        else:
            chosen = f"address bits {high:2}:{low:2} = {index}"
        meaning = "" if entry is None else self.meaning(entry)
        size = 1 << self.regime.geometry.entry_log2
        self.steps.append(Step(level, chosen, address, entry, size, meaning, again))
        self.first = False

    def meaning(self, entry: int) -> str:
        """What the entry says, and the step to the next level if it names a table."""
        fmt, g = self.regime.format, self.regime.geometry
        kind = fmt.classify(entry, self.level, g, self.regime.blocks)
        if kind is Type.INVALID:
            return "is not valid, so the walk ends here"
        if kind is Type.LEAF:
            self.at_leaf = True
            span = g.lsb(self.level)
            what = "page" if span == g.granule else "block"
            return f"maps a {what} of {size(span)} to 0x{fmt.leaf(entry, self.level, g).address:x}"
        table = fmt.table(entry, g)
        self.level, self.skl = self.level + 1 + table.skl, table.skl
        return f"points to the next table, at 0x{table.address:x}"


def follow(
    registers: Registers, features: Features, memory: Memory, access: Access
) -> tuple[list[Step], Translation | Fault]:
    """The steps of the walk, and the model's own answer."""
    held = Memory(memory.words, memory.errors)  # the walk may change the entries
    outcome = translate(registers, features, memory, access)
    if not outcome.reads:
        return [], outcome
    registers = implemented(registers, features)
    regime = regime_of(registers, features, registers.half(access.va))
    story = Story(regime, access)
    for address in outcome.reads:
        again = story.at_leaf  # nothing else is read after a leaf
        if again:
            story.start()
            held = memory
        try:
            entry = held.read(address, 1 << regime.geometry.entry_log2)
        except BusError:
            entry = None
        story.read(address, entry, again)
    return story.steps, outcome


def explain(
    registers: Registers, features: Features, memory: Memory, access: Access
) -> tuple[list[str], Translation | Fault]:
    """The lines of the story, and the model's own answer."""
    steps, outcome = follow(registers, features, memory, access)
    return told(steps, outcome), outcome


def told(steps: Iterable[Step], outcome: Translation | Fault) -> list[str]:
    """Steps and outcome as lines."""
    return [line for step in steps for line in step.lines] + ending(outcome)


def ending(outcome: Translation | Fault) -> list[str]:
    """How it came out."""
    if isinstance(outcome, Fault):
        name = FAULTS[outcome.kind.value]
        lines = [f"  result    {name}, level {outcome.level} (status 0x{outcome.status:02x})"]
        if not outcome.reads:
            lines.append(
                "            no table was read: the address does not fit into the address space"
                " as it is set up"
            )
        return lines
    reads = len(outcome.reads)
    lines = [f"  result    0x{outcome.pa:x}, after {reads} memory read{'' if reads == 1 else 's'}"]
    if outcome.level is None:
        return [*lines, "            the MMU is off: the address is used as it is"]
    lines.append(
        f"            one TLB entry can now answer for {size(outcome.span)}; "
        f"{memory_type(outcome)}; the program may {rights(outcome)}"
    )
    lines += [f"            the walker changed the entry at 0x{a:x} to 0x{v:016x}"
              for a, v in outcome.changed]  # fmt: skip
    return lines
