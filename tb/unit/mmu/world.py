"""The tables of the random traffic: two address spaces that software maps, unmaps and changes in
place by the rules."""

import random
from collections import deque
from dataclasses import replace

from model import Memory, tlbi
from model.registers import EPAN, HA, HD, WXN
from model.tables import AF, DBM, NG, READ_ONLY, ap
from model.tlbi import Invalidation, range_operand, va_operand
from unit.mmu.machine import M64, Machine, leaf_levels, span

ADDRESS = (1 << 48) - (1 << 12)


class World:
    """Two address spaces that share their upper half, in a few regions that are remapped again and
    again; software follows break-before-make. It also gives a mapping another output, makes a page
    clean again, or moves a last table and reuses its memory when the invalidation is done; hardware
    keeps access flags and dirty state in most of these worlds.

    wanted  addresses that are being translated; what maps them changes more often.
    story   what happened last.
    """

    def __init__(self, rng: random.Random, granule: int):
        self.rng, self.granule = rng, granule
        self.memory, self.story = Memory(), deque(maxlen=60)
        self.wanted: list[int] = []
        self.mapped: dict[tuple[int, int], int] = {}  # space and address -> level
        self._reuse: tuple[int, int] | None = None
        tnsz = rng.choice((16, 17, 22, 25, 28, 33))
        flags = rng.choice((0, 1 << 41, 1 << 37, 1 << 38, 1 << 56))
        sctlr = 1 | 1 << 2 | rng.choice((0, WXN, EPAN))
        flags |= rng.choice((0, HA, HA | HD, HA | HD))
        self.spaces = [
            Machine(granule, tnsz, tnsz, asid, flags=flags, sctlr=sctlr, base=0x4000_0000 * asid,
                    memory=self.memory)
            for asid in (1, 2)
        ]  # fmt: skip
        first, second = self.spaces
        second.upper = first.upper
        second.registers = replace(second.registers, ttbr1=first.registers.ttbr1)
        self.size = 64 - tnsz
        start = first.lower.geometry.start_level
        leaves = leaf_levels(granule)
        self.levels = [n for n in leaves if n >= start and span(granule, n) <= self.size]
        # Regions as large as the largest block, so that sizes can change within.
        largest = span(granule, min(self.levels))
        room = max(1 << self.size >> largest, 1)
        low = [n * (1 << largest) for n in {0, room // 2, room - 1}]
        self.top = (M64 + 1) - (1 << self.size)
        self.regions = low + [self.top + va for va in low]

    def address(self) -> int:
        """Mostly near what is mapped, sometimes anywhere."""
        rng = self.rng
        if rng.random() < 0.03:
            return rng.randrange(1 << 64)
        if self.mapped and rng.random() < 0.85:
            (_, va), level = rng.choice(list(self.mapped.items()))
            return va + rng.randrange(1 << span(self.granule, level)) & M64
        region = rng.choice(self.regions)
        return region + (rng.randrange(4) << self.granule) + rng.randrange(1 << self.granule) & M64

    def change(self) -> Invalidation | None:
        """Maps a free place, takes a mapping away or changes one; returns the invalidation that
        software owes."""
        rng = self.rng
        if self.mapped and rng.random() < 0.5:
            change = rng.choice((self._remap, self._clean, self._move_table))
            if op := change(*self._chosen()):
                return op
        if self.mapped and (rng.random() < 0.4 or len(self.mapped) > 20):
            (which, va), level = rng.choice(list(self.mapped.items()))
            del self.mapped[which, va]
            self.spaces[which].unmap(va, level)
            return self._owes("unmap", which, va, level)
        self._map()
        return None

    def invalidated(self) -> None:
        """The invalidation is done: the memory of a table that was moved serves another purpose,
        which looks like a mapping."""
        if self._reuse:
            slot, word = self._reuse
            self.memory.words[slot] = word
            self._reuse = None

    def covered(self, va: int, asid: int) -> bool:
        """Was `va` in the mapping that was changed last?"""
        which, start, level = self.removed
        mine = bool(va >> 55 & 1) or self.spaces[which].asid == asid
        return mine and 0 <= va - start < 1 << span(self.granule, level)

    def _map(self) -> None:
        rng = self.rng
        level = rng.choice(self.levels)
        size = 1 << span(self.granule, level)
        region = rng.choice(self.regions)
        va = region + rng.randrange(4) * size & -size & M64
        which = 0 if va >> 55 & 1 else rng.randrange(2)
        if not (va < 1 << self.size or va >= self.top) or self._taken(which, va, level):
            return
        ng = 0 if va >> 55 & 1 else NG
        pa = rng.randrange(1 << 47) & -size
        try:
            slot = self.spaces[which].map(va, pa, level, bits=ng | self._bits())
        except ValueError:
            return
        # What may go wrong with the descriptor.
        for errors, share in ((self.memory.errors, 0.05), (self.memory.swap_errors, 0.03)):
            (errors.add if rng.random() < share else errors.discard)(slot)
        self.mapped[which, va] = level
        self.story.append(f"map {va:#x} level {level} of {which}")

    def _taken(self, which: int, va: int, level: int) -> bool:
        size = 1 << span(self.granule, level)
        try:
            if self.memory.words.get(self.spaces[which].tables(va).slot(va, level), 0):
                return True
        except (KeyError, ValueError):
            pass
        return any(
            space == which and va < other + (1 << span(self.granule, held)) and other < va + size
            for (space, other), held in self.mapped.items()
        )

    def _bits(self) -> int:
        """Access flag, permissions and attributes of a new mapping; mostly what EL0 may use, as
        only such pages have an access flag or dirty state to set."""
        rng = self.rng
        bits = AF * (rng.random() < 0.95) | ap(rng.randrange(4)) | rng.randrange(3) << 2
        bits |= rng.randrange(4) << 53
        if rng.random() < 0.8:
            bits = bits & ~(3 << 53) | ap(0b01) | DBM * (rng.random() < 0.7)
        return bits & ~(AF * (rng.random() < 0.2))

    def _chosen(self) -> tuple[int, int, int]:
        every = [(which, va, level) for (which, va), level in self.mapped.items()]
        hot = [
            (which, va, level)
            for which, va, level in every
            if any(0 <= at - va < 1 << span(self.granule, level) for at in self.wanted)
        ]
        return self.rng.choice(hot if hot and self.rng.random() < 0.7 else every)

    def _elsewhere(self, word: int, level: int) -> int:
        """The same mapping with another output."""
        size = span(self.granule, level)
        return word & ~ADDRESS | self.rng.randrange(1 << 47) >> size << size

    def _remap(self, which: int, va: int, level: int) -> Invalidation:
        words, slot = self.memory.words, self.spaces[which].tables(va).slot(va, level)
        words[slot] = self._elsewhere(words[slot], level)
        return self._owes("remap", which, va, level)

    def _clean(self, which: int, va: int, level: int) -> Invalidation:
        words, slot = self.memory.words, self.spaces[which].tables(va).slot(va, level)
        words[slot] = words[slot] & ~(AF * self.rng.randrange(2)) | READ_ONLY
        return self._owes("clean", which, va, level)

    def _move_table(self, which: int, va: int, level: int) -> Invalidation | None:
        """Only if nothing else is in it."""
        tables, words = self.spaces[which].tables(va), self.memory.words
        if level == tables.geometry.start_level:
            return None
        leaf, above = tables.slot(va, level), tables.slot(va, level - 1)
        size = 1 << self.granule
        old = leaf & -size
        if any(words.get(at) for at in range(old, old + size, 8) if at != leaf):
            return None
        new = tables._new_table() | leaf & size - 1
        words[new] = self._elsewhere(words[leaf], level)
        words[above] = words[above] & ~ADDRESS | new & -size
        self._reuse = leaf, self._elsewhere(words[leaf], level)
        return self._owes("move the table of", which, va, level, tables=True)

    def _owes(self, what: str, which: int, va: int, level: int, *, tables=False) -> Invalidation:
        """Notes what was changed, for [covered] and the story; any kind that covers the address, as
        software with global pages uses an all-ASID form. `tables`: a table entry changed. One of
        the upper half may be remembered for each ASID, as no table entry is global."""
        self.removed = which, va, level
        rng, shared = self.rng, bool(va >> 55 & 1)
        inside = va + rng.randrange(1 << span(self.granule, level)) & M64
        asid = self.spaces[which].asid
        kinds = [tlbi.Kind.ALL, tlbi.Kind.VA_ALL_ASIDS, tlbi.Kind.RANGE_ALL_ASIDS]
        kinds += [tlbi.Kind.VA, tlbi.Kind.RANGE] * (not (tables and shared))
        kinds += [tlbi.Kind.ASID] * (not shared)
        kind = rng.choice(kinds)
        if kind.is_range:
            base = inside & -(1 << self.granule)
            num, scale = rng.randrange(32), rng.randrange(4)
            operand = range_operand(base, self.granule, num, scale, asid=asid)
        else:
            operand = va_operand(inside, asid)
        op = Invalidation(kind, operand, not tables and rng.random() < 0.5)
        self.story.append(f"{what} {va:#x} level {level} of {which}: {op.kind.name} {operand:#x}")
        return op
