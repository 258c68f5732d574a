"""What a list of the DMA engine does to memory."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

BEAT, PAGE = 4, 4096
ENTRY_BYTES = 32
FILL, LAST, INTERRUPT = 1, 2, 4


class Cause(IntEnum):
    NONE, LIST, READ, WRITE, ILLEGAL = range(5)


@dataclass(frozen=True)
class Entry:
    destination: int
    bytes: int
    source: int = 0
    value: int = 0
    flags: int = 0

    @property
    def fills(self) -> bool:
        return bool(self.flags & FILL)

    @property
    def is_legal(self) -> bool:
        places = self.destination | self.bytes | (0 if self.fills else self.source)
        return places % BEAT == 0 and self.flags < 8

    @property
    def overlaps(self) -> bool:
        """Source and destination have a byte in common, in one address space."""
        return not self.fills and abs(self.source - self.destination) < self.bytes

    def encode(self) -> bytes:
        fields = ((self.flags, 4), (self.bytes, 4), (self.source, 8), (self.destination, 8),
                  (self.value, 4), (0, 4))  # fmt: skip
        return b"".join(value.to_bytes(size, "little") for value, size in fields)


@dataclass
class Result:
    """`entries` are done, and `written` bytes of the one after them. `va`: where the error is."""

    entries: int
    written: int = 0
    cause: Cause = Cause.NONE
    va: int = 0


def bursts(entry: Entry, most: int) -> list[tuple[int, int, int]]:
    """Source, destination and bytes of each: at most `most` bytes, and in one page of each."""
    done, found = 0, []
    while done < entry.bytes:
        source, destination = entry.source + done, entry.destination + done
        ends = [PAGE - destination % PAGE, most, entry.bytes - done]
        if not entry.fills:
            ends.append(PAGE - source % PAGE)
        found.append((source, destination, min(ends)))
        done += min(ends)
    return found


def play(
    memory: bytearray,
    entries: list[Entry],
    refuses: Callable[[int], bool],
    most: int,
    list_va: int,
    *,
    one_row: bool,
) -> Result:
    """Works `entries` off in `memory`. `refuses`: the page of an address is a bus error.
    `one_row`: source and destination are the same stream."""
    for index, entry in enumerate(entries):
        at = list_va + index * ENTRY_BYTES
        if refuses(at):
            return Result(index, 0, Cause.LIST, at)
        if not entry.is_legal or (one_row and entry.overlaps):
            return Result(index, 0, Cause.ILLEGAL, at)
        written = 0
        for source, destination, size in bursts(entry, most):
            if not entry.fills and refuses(source):
                return Result(index, written, Cause.READ, source)
            if refuses(destination):
                return Result(index, written, Cause.WRITE, destination)
            if entry.fills:
                data = entry.value.to_bytes(BEAT, "little") * (size // BEAT)
            else:
                data = bytes(memory[source : source + size])
            memory[destination : destination + size] = data
            written += size
        if entry.flags & LAST:
            return Result(index + 1)
    raise ValueError(f"none of {len(entries)} entries is the last one")
