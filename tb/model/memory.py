"""Sparse memory of 64-bit words; what is not listed reads 0."""

from collections.abc import Iterable, Mapping

from .bits import mask


class BusError(Exception):
    """No device answered, or it answered with an error."""


class NoSwap(Exception):
    """This memory cannot compare and swap."""


class Memory:
    """`errors` are word addresses that answer with a bus error, `swap_errors` with one to swaps
    only; `no_swap` cannot compare and swap. `race`: word -> what another agent stores there just
    before the next swap of it."""

    def __init__(
        self,
        words: Mapping[int, int] | None = None,
        errors: Iterable[int] = (),
        no_swap: Iterable[int] = (),
    ):
        self.words = dict(words or {})
        self.errors = set(errors)
        self.no_swap = set(no_swap)
        self.swap_errors: set[int] = set()
        self.race: dict[int, int] = {}

    def read(self, address: int, size: int = 8) -> int:
        word = address & ~7
        if word in self.errors:
            raise BusError(f"read of {address:#x}")
        value = self.words.get(word, 0)
        if size == 4:
            value = value >> 8 * (address & 4) & mask(32)
        if size == 16:
            value |= self.words.get(word + 8, 0) << 64
        return value

    def write(self, address: int, value: int, size: int = 8) -> None:
        word = address & ~7
        if size == 4:
            shift = 8 * (address & 4)
            value = self.words.get(word, 0) & ~(mask(32) << shift) | value << shift
        self.words[word] = value & mask(64)
        if size == 16:
            self.words[word + 8] = value >> 64

    def compare_and_swap(self, address: int, expected: int, desired: int, size: int = 8) -> int:
        """Stores `desired` if memory holds `expected`; returns what it held before. 8 or 16 bytes:
        hardware never updates smaller descriptors."""
        if address in self.no_swap:
            raise NoSwap(f"swap of {address:#x}")
        if address in self.swap_errors:
            raise BusError(f"swap of {address:#x}")
        if address in self.race:
            self.words[address] = self.race.pop(address)
        held = self.read(address, size)
        if held == expected:
            self.write(address, desired, size)
        return held
