"""Random translation tables that grow where accesses go: each access finds a path that was made for
some purpose, or one that others left behind.

A word that was written stays as it is until software changes it with the invalidation that it owes,
so that a cached entry and memory can only differ where the architecture says what must happen.
"""

import random
from dataclasses import dataclass, field, replace

from cases import entries
from cases.entries import Wish
from model import Access, Features, Registers
from model.bits import align_down, mask, sign_extend
from model.descriptor import Type
from model.permissions import indirect
from model.regime import Regime, regime_of, table_base
from model.steps import Step, Store, Trap, Trouble
from model.walk import implemented

# What the entry that ends a new path is for, and how often.
AIMS = {
    "leaf": 8,
    "invalid": 1.2,
    "bus error": 1.2,
    "wide table": 1.8,
    "wide leaf": 2,
    "no access flag": 3,
    "no swap": 2.2,
    "swap error": 2.2,
    "race": 1.2,
    "reserved bits": 1.0,
}
TROUBLE = {"no swap": Trouble.NO_SWAP, "swap error": Trouble.SWAP_ERROR}
NEEDS_UPDATE = (*TROUBLE, "race")


@dataclass(frozen=True)
class Place:
    """Where an access's path has come to: the slot of the next entry; `end` of its table, in
    which the contiguous hint is disabled with `disch`."""

    space: int
    regime: Regime
    access: Access
    slot: int
    level: int
    end: int
    disch: bool

    @property
    def size(self) -> int:
        return 1 << self.regime.geometry.entry_log2


@dataclass(frozen=True)
class Made:
    """An entry that was made, for later changes: `slots` are those of its whole group, `span` is
    log2 of what they map. A table has no wish."""

    place: Place
    slots: tuple[int, ...]
    span: int
    wish: Wish | None

    va = property(lambda self: self.place.access.va)
    level = property(lambda self: self.place.level)
    table = property(lambda self: self.wish is None)
    ng = property(lambda self: self.wish is None or self.wish.ng)


@dataclass
class World:
    """`spaces` are the register states that take turns; they differ in ASID and lower tables. Only
    what is implemented counts of them: without PIE, PIE = 1 leaves bit 7 of an entry a permission.
    `steps` is what software does; who uses the world takes them away. `grouped`: most leaves are
    pages, and these are members of groups."""

    rng: random.Random
    features: Features
    spaces: list[Registers]
    words: dict[int, int] = field(default_factory=dict)
    tables: list[tuple[int, int]] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    globals: bool = False  # there is a global leaf somewhere
    grouped: bool = False

    def __post_init__(self):
        self.spaces = [implemented(r, self.features) for r in self.spaces]
        self.regimes = [
            [regime_of(r, self.features, r.half(upper << 55)) for upper in (0, 1)]
            for r in self.spaces
        ]

    def new_table(self, log2: int, limit: int, low: int = 6) -> int | None:
        """The address of a table of 2^log2 bytes below 2^limit that touches no other."""
        align = max(log2, low)
        for _ in range(8):
            base = align_down(self.rng.getrandbits(limit), align)
            end = base + (1 << align)
            if all(end <= start or base >= stop for start, stop in self.tables):
                self.tables.append((base, end))
                return base
        return None

    def store(self, slot: int, entry: int, size: int) -> None:
        if size == 4:
            word = slot & ~7
            shift = 8 * (slot & 4)
            old = self.words.get(word, 0) & ~(mask(32) << shift)
            entry, slot = old | entry << shift, word
        self.words[slot] = entry & mask(64)
        self.steps.append(Store(slot, entry & mask(64)))
        if size == 16:
            self.words[slot + 8] = entry >> 64
            self.steps.append(Store(slot + 8, entry >> 64))

    def fetch(self, slot: int, size: int) -> int | None:
        """The entry in `slot`; None when nothing was ever written there."""
        word = self.words.get(slot & ~7)
        if word is None or size == 8:
            return word
        if size == 4:
            return word >> 8 * (slot & 4) & mask(32) or None
        return word | self.words[slot + 8] << 64

    def grow(self, space: int, access: Access) -> tuple[int, int] | None:
        """Makes the path of the access. Returns a race if the path was made for one."""
        regime = self.regimes[space][access.va >> 55 & 1]
        g, fmt = regime.geometry, regime.format
        base = table_base(regime)
        level = g.start_level
        va = sign_extend(access.va, 55)
        if not -2 <= level <= 3 or g.input_size > 55 or not _canonical(regime, va):
            return None
        access = replace(access, va=va)
        index = g.first_index(access.va)
        size, end = 1 << g.entry_log2, base + (1 << g.first_table_log2)
        disch = regime.half.disch
        path = None
        while True:
            slot = base | index << g.entry_log2
            if slot >> regime.output_size:
                return None
            entry = self.fetch(slot, size)
            if entry is None:
                path = path or self._plan(regime, level, space)
                race = self._make(path, Place(space, regime, access, slot, level, end, disch))
                entry = self.fetch(slot, size)
                if path.done or entry is None:
                    return race
            if fmt.classify(entry, level, g, regime.blocks) is not Type.TABLE:
                return None
            table = fmt.table(entry, g)
            level += 1 + table.skl
            disch = table.disch
            base, index = table.address, g.index(access.va, level, table.skl)
            end = base + (1 << (table.skl + 1) * g.stride + g.entry_log2)

    def _plan(self, regime: Regime, level: int, space: int) -> "_Path":
        rng = self.rng
        registers = self.spaces[space]
        aims = dict(AIMS)
        if not (registers.ha and self.features.hafdbs and not regime.riscv):
            aims = {name: share for name, share in aims.items() if name not in NEEDS_UPDATE}
        if not regime.format.reserved:
            del aims["reserved bits"]
        aim = rng.choices([*aims], [*aims.values()])[0]
        leaves = [n for n in leaf_levels(regime) if n >= level]
        target = 3 if self.grouped and rng.random() < 0.8 else rng.choice(leaves)
        if level == regime.geometry.start_level and regime.geometry.first_entries <= 8:
            aim = aim if rng.random() < 0.45 else "leaf"
        early = aim in ("invalid", "bus error", "wide table", "reserved bits")
        return _Path(aim, rng.randrange(level, target + 1) if early else target, target)

    def _make(self, path: "_Path", place: Place) -> tuple[int, int] | None:
        rng, regime, slot, level = self.rng, place.regime, place.slot, place.level
        if path.aim == "invalid" and level >= path.level:
            path.done = True
            self.store(slot, entries.reserved(rng, regime, level), place.size)
            return None
        fresh = slot & ~7 not in self.words  # else the other entry of the word may be cached
        if path.aim == "bus error" and level >= path.level and fresh and not path.trapped:
            self.steps.append(Trap(slot & ~7, Trouble.ERROR))
            path.trapped = True
        race = None
        if level < path.target:
            self._make_table(path, place)
        else:
            path.done = True
            race = self._make_leaf(path.aim, place)
        if path.aim == "reserved bits" and level >= path.level:
            path.done = True
            self.store(slot, self.words[slot] | rng.randrange(1, 16) << 12, place.size)
        return race

    def _make_table(self, path: "_Path", place: Place) -> None:
        rng, regime, level = self.rng, place.regime, place.level
        g = regime.geometry
        skl = 0
        if regime.d128:
            limit = min(path.target - level - 1, 3 if g.granule == 12 else 2)
            # A skip that would end below the last level makes a leaf of the entry.
            skl = rng.choice([n for n in (0, 0, 1, 2, 3) if n <= limit])
        log2 = (skl + 1) * g.stride + g.entry_log2
        if path.aim == "wide table" and level >= path.level and _room(regime):
            address = beyond(rng, regime, log2)
            path.done = True
        else:
            address = self.new_table(log2, regime.output_size)
            if address is None and log2 > regime.output_size:
                address = 0  # only a part of it can be reached
            if address is None:
                path.done = True
                self.store(place.slot, 0, place.size)
                return
        self.store(place.slot, entries.table(rng, regime, address, skl), place.size)
        self.made.append(Made(place, (place.slot,), g.lsb(level), None))

    def _wish(self, aim: str, place: Place) -> Wish:
        rng, registers = self.rng, self.spaces[place.space]
        regime, access = place.regime, place.access
        ha = registers.ha and self.features.hafdbs >= 1 and not regime.riscv
        update = aim in NEEDS_UPDATE
        af = aim != "no access flag" and not update
        if af and ha:
            af = rng.random() < 0.6
        clean = rng.random() < 0.35
        if update and registers.hd and access.kind.writes and rng.random() < 0.5:
            af, clean = True, True
        allowed = None
        if (regime.d128 or registers.pie) and not regime.riscv:
            allowed = []
            pan = access.pan and access.el == 1 and not access.kind.fetches
            for index in range(16):
                rights = indirect(
                    index, access.el, pir=registers.pir, pire0=registers.pire0, pan=pan
                )
                need = ((rights.x, access.kind.fetches), (rights.r, access.kind.reads),
                        (rights.w, access.kind.writes))  # fmt: skip
                if all(have for have, wanted in need if wanted):
                    allowed.append(index)
        # Spaces take turns, so that what only one of them has must not be global.
        ng = len(self.spaces) > 1 or rng.random() < 0.6
        return Wish(
            access=access,
            permissive=update or rng.random() < 0.65,
            af=af,
            ng=ng,
            clean=clean,
            contiguous=rng.random() < (0.9 if self.grouped else 0.6),
            indirect=allowed,
        )

    def _make_leaf(self, aim: str, place: Place) -> tuple[int, int] | None:
        rng, regime, slot = self.rng, place.regime, place.slot
        g = regime.geometry
        wish = self._wish(aim, place)
        slots = self._group(place, wish)
        if aim in ("race", "bus error", "reserved bits") or len(slots) == 1:
            slots = (slot,)
            group = g.contiguous_log2(place.level)
            ignored = not group or not self.features.use_contiguous or place.disch
            ignored = ignored or g.lsb(place.level) + group > g.input_size
            wish.contiguous &= ignored and not regime.riscv
        span = g.lsb(place.level) + (len(slots) - 1).bit_length()
        if aim == "wide leaf" and _room(regime):
            address = beyond(rng, regime, span)
        else:
            address = align_down(rng.getrandbits(regime.output_size), span)
        # Group members are mapped together, so a later change takes them together.
        made = Made(place, slots, span, wish)
        # All members of a group have the same trouble, so that none is cached before another.
        self.write_leaf(made, address, uniform=aim in TROUBLE)
        if aim in TROUBLE:
            self.steps += [Trap(member & ~7, TROUBLE[aim]) for member in slots]
        else:
            self.made.append(made)
        return (slot, self._raced(wish, slot)) if aim == "race" else None

    def _group(self, place: Place, wish: Wish) -> tuple[int, ...]:
        """Slots of the contiguous group, or only this one where there is none to be had."""
        g, slot, size = place.regime.geometry, place.slot, place.size
        log2 = 0 if place.disch else g.contiguous_log2(place.level)
        if not self.features.use_contiguous or log2 > 6 and self.rng.random() < 0.6:
            return (slot,)  # large groups cost time
        if not (wish.contiguous and log2 and g.lsb(place.level) + log2 <= g.input_size):
            return (slot,)
        first = slot & -(size << log2)
        slots = tuple(range(first, first + (size << log2), size))
        if slots[-1] >= place.end or any(s in self.words for s in slots):
            return (slot,)
        return slots

    def write_leaf(self, made: Made, address: int, *, uniform: bool = False) -> None:
        """One entry, or a group that agrees in all but access flag and dirty state, and in these
        too where software manages them, or if it is to be `uniform`."""
        rng, place, wish = self.rng, made.place, made.wish
        regime = place.regime
        self.globals |= not wish.ng
        model = entries.leaf(rng, regime, place.level, address, wish)
        if len(made.slots) == 1 or regime.riscv:
            for slot in made.slots:
                self.store(slot, model, place.size)
            return
        registers = self.spaces[place.space]
        ha = registers.ha and self.features.hafdbs >= 1
        hd = ha and registers.hd and self.features.hafdbs >= 2
        span = regime.geometry.lsb(place.level)
        address_bits = entries.encode_address(regime.format, mask(56) & ~mask(12))
        for n, slot in enumerate(made.slots):
            member = entries.encode_address(regime.format, address + (n << span))
            entry = model & ~address_bits | member
            if ha and not uniform and rng.random() < 0.5:
                entry ^= entries.AF
            if wish.clean and hd and not uniform and rng.random() < 0.5:
                entry ^= entries.READ_ONLY
            self.store(slot, entry, place.size)

    def _raced(self, wish: Wish, word: int) -> int:
        """What the other agent stores. An entry with its access flag may be in a TLB: then only
        its dirty state or software's bits may change."""
        old, rng = self.words[word], self.rng
        if wish.af:
            return rng.choice((old & ~entries.READ_ONLY, old ^ 1 << 57))
        return rng.choice((0, old | entries.AF, old ^ 1 << 57, old & ~entries.READ_ONLY))


@dataclass
class _Path:
    """aim at `level`, leaf at `target`."""

    aim: str
    level: int
    target: int
    done: bool = False
    trapped: bool = False


def _canonical(regime: Regime, va: int) -> bool:
    """Only paths that a walk can take are made, so that each has one address."""
    if regime.riscv:
        return regime.riscv.canonical(va)
    g = regime.geometry
    return va >> g.input_size == (mask(64 - g.input_size) if regime.half.upper else 0)


def leaf_levels(regime: Regime) -> list[int]:
    if regime.riscv:
        return [*regime.geometry.levels]
    if regime.d128:
        return [n for n in range(-2, 4) if 3 - n <= (3 if regime.half.granule == 12 else 2)]
    return [*sorted(regime.blocks), 3]


def _address_bits(regime: Regime) -> int:
    """Width of the address that an entry can hold."""
    if regime.riscv:
        return regime.riscv.output
    return 48 if regime.format.high_from is None and not regime.d128 else 56 if regime.d128 else 52


def _room(regime: Regime) -> bool:
    return _address_bits(regime) > regime.output_size


def beyond(rng: random.Random, regime: Regime, log2: int) -> int:
    """An address with a bit at or above the output size."""
    bits = _address_bits(regime)
    low = max(regime.output_size, log2)
    if low >= bits:
        return align_down(1 << (bits - 1), log2)
    high = [1 << n for n in range(low, bits)] + [rng.getrandbits(bits - low) << low or 1 << low]
    return rng.choice(high) | align_down(rng.getrandbits(regime.output_size), log2)
