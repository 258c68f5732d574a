"""Sparse memory of 64-bit words; what is not listed reads 0."""

from collections.abc import Iterable, Mapping

from model.bits import mask


class BusError(Exception):
    """No device answered, or it answered with an error."""


class Memory:
    """`errors` are word addresses that answer with a bus error."""

    def __init__(self, words: Mapping[int, int] | None = None, errors: Iterable[int] = ()):
        self.words = dict(words or {})
        self.errors = set(errors)

    def read(self, address: int, size: int = 8) -> int:
        if address in self.errors:
            raise BusError(f"read of {address:#x}")
        value = self.words.get(address, 0)
        if size == 16:
            value |= self.words.get(address + 8, 0) << 64
        return value

    def compare_and_swap(self, address: int, expected: int, desired: int, size: int = 8) -> int:
        """Stores `desired` if memory holds `expected`; returns what it held before."""
        held = self.read(address, size)
        if held == expected:
            self.words[address] = desired & mask(64)
            if size == 16:
                self.words[address + 8] = desired >> 64
        return held
