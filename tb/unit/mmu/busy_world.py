"""Software that changes its tables in place, for the tests that look for what is kept too long."""

import random
from dataclasses import replace

from model.registers import HA, HD
from model.tables import AF, ap
from model.tlbi import Invalidation
from unit.mmu.machine import span
from unit.mmu.world import World

DBM, READ_ONLY = 1 << 51, ap(0b10)
ADDRESS = (1 << 48) - (1 << 12)


class BusyWorld(World):
    """Beside what [World] does, software gives a mapping another output, makes a page clean again,
    or moves a last table and reuses its memory when the invalidation is done; hardware keeps access
    flags and dirty state in most of these worlds.

    wanted  addresses that are being translated; what maps them changes more often.
    """

    def __init__(self, rng: random.Random, granule: int):
        super().__init__(rng, granule)
        self.wanted: list[int] = []
        self._reuse: tuple[int, int] | None = None
        flags = rng.choice((0, HA, HA | HD, HA | HD))
        for space in self.spaces:
            space.registers = replace(space.registers, tcr=space.registers.tcr | flags)

    def change(self, story=None) -> Invalidation | None:
        if self.mapped and self.rng.random() < 0.5:
            change = self.rng.choice((self._remap, self._clean, self._move_table))
            which, va, level = self._chosen()
            op = change(story, which, va, level)
            if op:
                return op
        return super().change(story)

    def invalidated(self) -> None:
        """The invalidation is done: the memory of a table that was moved serves another purpose,
        which looks like a mapping."""
        if self._reuse:
            slot, word = self._reuse
            self.memory.words[slot] = word
            self._reuse = None

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

    def _remap(self, story, which: int, va: int, level: int) -> Invalidation:
        words, slot = self.memory.words, self.spaces[which].tables(va).slot(va, level)
        words[slot] = self._elsewhere(words[slot], level)
        return self._owes(story, "remap", which, va, level)

    def _clean(self, story, which: int, va: int, level: int) -> Invalidation:
        words, slot = self.memory.words, self.spaces[which].tables(va).slot(va, level)
        words[slot] = words[slot] & ~(AF * self.rng.randrange(2)) | READ_ONLY
        return self._owes(story, "clean", which, va, level)

    def _move_table(self, story, which: int, va: int, level: int) -> Invalidation | None:
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
        return self._owes(story, "move the table of", which, va, level, tables=True)

    def _bits(self) -> int:
        """Mostly what EL0 may use, as only such pages have an access flag or dirty state to set."""
        rng = self.rng
        bits = super()._bits()
        if rng.random() < 0.8:
            bits = bits & ~(3 << 53) | ap(0b01) | DBM * (rng.random() < 0.7)
        return bits & ~(AF * (rng.random() < 0.2))

    def _trouble(self, slot: int) -> None:
        super()._trouble(slot)
        errors = self.memory.swap_errors
        (errors.add if self.rng.random() < 0.03 else errors.discard)(slot)
