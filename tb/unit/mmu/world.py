"""The tables of the random tests: two address spaces that software maps and unmaps by the rules."""

import random

from model import Memory, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, range_operand, va_operand
from unit.mmu.machine import EPAN, M64, WXN, Machine, leaf_levels, span


class World:
    """Two address spaces that share their upper half, in a few regions that are remapped again and
    again; software follows break-before-make."""

    def __init__(self, rng: random.Random, granule: int):
        self.rng, self.granule = rng, granule
        tnsz = rng.choice((16, 17, 22, 25, 28, 33))
        flags = rng.choice((0, 1 << 41, 1 << 37, 1 << 38, 1 << 56))
        sctlr = 1 | 1 << 2 | rng.choice((0, WXN, EPAN))
        options = {"granule": granule, "t0sz": tnsz, "t1sz": tnsz, "flags": flags, "sctlr": sctlr}
        self.memory = Memory()
        self.spaces = [
            Machine(**options, asid=asid, base=0x4000_0000 * asid, memory=self.memory)
            for asid in (1, 2)
        ]
        upper = self.spaces[0].registers.ttbr1
        for space in self.spaces:
            space.upper = self.spaces[0].upper
            space.registers = space.registers.__class__(
                **{**_fields(space.registers), "ttbr1": upper}
            )
        self.size = 64 - tnsz
        self.regions = self._regions()
        self.mapped: dict[tuple[int, int], int] = {}

    def _regions(self) -> list[int]:
        """Starts of regions as large as the largest block, so that sizes can change within."""
        largest = span(self.granule, min(self._levels()))
        room = max(1 << self.size >> largest, 1)
        low = [n * (1 << largest) for n in {0, room // 2, room - 1}]
        top = (M64 + 1) - (1 << self.size)
        return low + [top + va for va in low]

    def _levels(self) -> list[int]:
        start = self.spaces[0].lower.geometry.start_level
        return [n for n in leaf_levels(self.granule)
                if n >= start and span(self.granule, n) <= self.size]  # fmt: skip

    def address(self) -> int:
        """Mostly near what is mapped, sometimes anywhere."""
        rng = self.rng
        if rng.random() < 0.03:
            return rng.randrange(1 << 64)
        if self.mapped and rng.random() < 0.85:
            (space, va), level = rng.choice(list(self.mapped.items()))
            return va + rng.randrange(1 << span(self.granule, level)) & M64
        region = rng.choice(self.regions)
        return region + (rng.randrange(4) << self.granule) + rng.randrange(1 << self.granule) & M64

    def change(self, story=None) -> Invalidation | None:
        """Maps a free place, or takes a mapping away; returns the invalidation that software
        owes."""
        if self.mapped and (self.rng.random() < 0.4 or len(self.mapped) > 20):
            return self._unmap(story)
        self._map(story)
        return None

    def _unmap(self, story) -> Invalidation:
        (which, va), level = self.rng.choice(list(self.mapped.items()))
        del self.mapped[which, va]
        self.spaces[which].unmap(va, level)
        return self._owes(story, "unmap", which, va, level)

    def _map(self, story) -> None:
        rng = self.rng
        level = rng.choice(self._levels())
        size = 1 << span(self.granule, level)
        region = rng.choice(self.regions)
        va = region + rng.randrange(4) * size & -size & M64
        which = 0 if va >> 55 & 1 else rng.randrange(2)
        if not self._canonical(va) or self._taken(which, va, size):
            return
        ng = 0 if va >> 55 & 1 else NG
        pa = rng.randrange(1 << 47) & -size
        try:
            slot = self.spaces[which].map(va, pa, level, bits=ng | self._bits())
        except ValueError:
            return
        self._trouble(slot)
        self.mapped[which, va] = level
        _tell(story, f"map {va:#x} level {level} of {which}")

    def _bits(self) -> int:
        """Access flag, permissions and attributes of a new mapping."""
        rng = self.rng
        bits = AF * (rng.random() < 0.95) | ap(rng.randrange(4)) | rng.randrange(3) << 2
        return bits | rng.randrange(4) << 53

    def _trouble(self, slot: int) -> None:
        """What may go wrong with the descriptor of a new mapping."""
        errors = self.memory.errors
        (errors.add if self.rng.random() < 0.05 else errors.discard)(slot)

    def _canonical(self, va: int) -> bool:
        top = (M64 + 1) - (1 << self.size)
        return va < 1 << self.size or va >= top

    def _taken(self, which: int, va: int, size: int) -> bool:
        if self.spaces[which].tables(va).memory.words.get(self._slot_or_none(which, va, size), 0):
            return True
        for (space, other), level in self.mapped.items():
            length = 1 << span(self.granule, level)
            if space == which and va < other + length and other < va + size:
                return True
        return False

    def _slot_or_none(self, which: int, va: int, size: int) -> int:
        level = next(n for n in self._levels() if 1 << span(self.granule, n) == size)
        try:
            return self.spaces[which].tables(va).slot(va, level)
        except (KeyError, ValueError):
            return -1

    def _owes(
        self, story, what: str, which: int, va: int, level: int, *, tables: bool = False
    ) -> Invalidation:
        """Notes what was changed, for [covered] and the story."""
        self.removed = which, va, level
        op = self._covering(va, level, which, tables)
        _tell(story, f"{what} {va:#x} level {level} of {which}: {op.kind.name} {op.operand:#x}")
        return op

    def _covering(self, va: int, level: int, which: int, tables: bool) -> Invalidation:
        """Any kind that covers the address; software with global pages uses an all-ASID form.
        `tables`: a table entry changed. One of the upper half may be remembered for each ASID, as
        no table entry is global."""
        rng, shared = self.rng, bool(va >> 55 & 1)
        inside = va + rng.randrange(1 << span(self.granule, level)) & M64
        asid = self.spaces[which].asid
        kinds = [tlbi.Kind.ALL, tlbi.Kind.VA_ALL_ASIDS, tlbi.Kind.RANGE_ALL_ASIDS]
        kinds += [tlbi.Kind.VA, tlbi.Kind.RANGE] * (not (tables and shared))
        kinds += [tlbi.Kind.ASID] * (not shared)
        kind = rng.choice(kinds)
        if kind.is_range:
            base = inside & -(1 << self.granule)
            operand = range_operand(base, self.granule, rng.randrange(32), rng.randrange(4),
                                    asid=asid)  # fmt: skip
        else:
            operand = va_operand(inside, asid)
        return Invalidation(kind, operand, not tables and rng.random() < 0.5)

    def covered(self, va: int, asid: int) -> bool:
        """Was `va` in the mapping that was changed last?"""
        which, start, level = self.removed
        mine = bool(va >> 55 & 1) or self.spaces[which].asid == asid
        return mine and 0 <= va - start < 1 << span(self.granule, level)


def _tell(story, line: str) -> None:
    if story is not None:
        story.append(line)


def _fields(registers) -> dict:
    return {name: getattr(registers, name) for name in registers.__dataclass_fields__}
