"""Operands for the arithmetic of the core: the corners of both number ranges, and random ones."""

import itertools
import random

CORNERS = (0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001,
           0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF)  # fmt: skip


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def word(value: int) -> int:
    return value & 0xFFFFFFFF


def pairs(count: int, seed: int = 1):
    """All pairs of corners, then random pairs of every size."""
    rng = random.Random(seed)
    yield from itertools.product(CORNERS, CORNERS)
    for _ in range(count):
        yield rng.getrandbits(rng.randrange(1, 33)), rng.getrandbits(rng.randrange(1, 33))
