"""What a level-2 cache must do, burst by burst: flat memory, lines and their order of use."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from cocotb.triggers import Event

from unit.cache.geometry import Geometry
from unit.cache.memory import Memory

OKAY, SLVERR, DECERR = 0, 2, 3


@dataclass
class Burst:
    """A read, or with `data` a write. `expected`: value and response of each answer."""

    address: int
    beats: int = 1
    wraps: bool = False
    size: int = 2
    id: int = 0
    data: list[int] | None = None
    strobes: list[int] | None = None  # default: all bytes
    expected: list[tuple[int, int]] = field(default_factory=list)
    accepted: int = 0  # the cycle
    at: list[int] = field(default_factory=list)  # cycle of each answer
    resps: list[int] = field(default_factory=list)
    done: Event | None = None

    def __post_init__(self):
        if self.data is not None and self.strobes is None:
            self.strobes = [15] * self.beats

    def words(self) -> list[int]:
        """Their addresses, in order."""
        first = self.address & -4
        if not self.wraps:
            return [first + 4 * n for n in range(self.beats)]
        base = first & -(4 * self.beats)
        return [base + (first - base + 4 * n) % (4 * self.beats) for n in range(self.beats)]


@dataclass
class WriteBack:
    line: int
    before: list[int]  # what memory holds
    after: list[int]


def error(memory: Memory, address: int) -> int:
    """How memory answers a beat: one of two errors where it refuses it."""
    if address in memory.refuse_beat:
        return DECERR if address & 4 else SLVERR
    return OKAY


class Model:
    """Does bursts in the order in which they are accepted. What memory refuses stays the same
    while one is under way. `fills` and `write_backs`: what must come below, oldest first."""

    def __init__(self, geo: Geometry, memory: Memory):
        self.geo, self.memory = geo, memory
        self.flat, self.image = Memory(), Memory()  # what is read, and what memory will hold
        self.fills: deque[int] = deque()
        self.write_backs: deque[WriteBack] = deque()
        self.counts = [0] * 4  # accesses, misses, write-backs, refused ones
        self.ages = [0] * geo.sets
        self._forget()

    def _forget(self) -> None:
        self.ahead: dict[int, int] = {}  # the line in each buffer, and perhaps nothing
        self.taken: set[int | None] = set()  # lines whose buffers have others now
        self.ways: list[list[int | None]] = [[None] * self.geo.ways for _ in range(self.geo.sets)]
        self.dirty: set[int] = set()
        self.missed: deque[set[int]] = deque(maxlen=8)  # by bursts; an address may wait so long
        self.void: set[int] = set()

    def line(self, memory: Memory, line: int) -> list[int]:
        return [memory.word(line + n) for n in range(0, self.geo.line, 4)]

    def put(self, memory: Memory, line: int, words: list[int]) -> None:
        for n, word in enumerate(words):
            memory.store(line + 4 * n, word)

    # ---- the tree of a set -----------------------------------------------------------------------
    def used(self, number: int, way: int) -> None:
        """Each node points away from it."""
        node = 1
        for level in reversed(range(self.geo.ways.bit_length() - 1)):
            upper = way >> level & 1
            bit = 1 << node - 1
            self.ages[number] = self.ages[number] & ~bit | (0 if upper else bit)
            node = 2 * node + upper

    def victim(self, number: int) -> int:
        if None in self.ways[number]:
            return self.ways[number].index(None)
        node = 1
        while node < self.geo.ways:
            node = 2 * node + (self.ages[number] >> node - 1 & 1)
        return node - self.geo.ways

    # ---- a burst ---------------------------------------------------------------------------------
    def visits(self, burst: Burst) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Lines, each with the words of it and their numbers in the burst."""
        visit, line = [], -1
        for n, word in enumerate(burst.words()):
            if visit and word & -self.geo.line != line:
                yield line, visit
                visit = []
            line = word & -self.geo.line
            visit.append((word, n))
        yield line, visit

    def run(self, burst: Burst) -> None:
        refused = False
        self.missed.append(set())
        for line, words in self.visits(burst):
            hit = self.lookup(line)
            if burst.data is None:
                self.read(burst, line, words, hit)
            else:
                refused |= self.write(burst, line, words, hit)
        if burst.data is not None:
            burst.expected = [(0, SLVERR if refused else OKAY)]

    def lookup(self, line: int) -> bool:
        """Whether it is there; then it is, and its victim leaves."""
        number = line // self.geo.line % self.geo.sets
        ways = self.ways[number]
        hit = line in ways
        way = ways.index(line) if hit else self.victim(number)
        self.used(number, way)
        self.counts[0] += 1
        self.counts[1] += not hit
        if not hit:
            if ways[way] in self.dirty:
                self.write_back(ways[way])
            ways[way] = line
        return hit

    def write_back(self, line: int) -> None:
        self.counts[2] += 1
        self.dirty.remove(line)
        before, after = self.line(self.image, line), self.line(self.flat, line)
        self.write_backs.append(WriteBack(line, before, after))
        if line in self.memory.refuse_write:
            self.counts[3] += 1
            self.put(self.flat, line, before)
        else:
            self.put(self.image, line, after)

    def fill(self, line: int, first: int) -> bool:
        """Whether it was refused; then the line is not kept, nor what was written into it."""
        self.fills.append(first)
        self.missed[-1].add(line)
        bad = any(error(self.memory, line + n) for n in range(0, self.geo.line, 4))
        if bad:
            ways = self.ways[line // self.geo.line % self.geo.sets]
            ways[ways.index(line)] = None
            self.dirty.discard(line)
            self.put(self.flat, line, self.line(self.image, line))
        return bad

    def read_ahead(self, line: int, buffer: int) -> None:
        """It follows one that was missed of late, in its page, is not there and does not leave.
        What an accepted burst misses is in `ways` already, what it writes whole is `void`."""
        missed = {one for burst in self.missed for one in burst}
        assert line - self.geo.line in missed, f"{line:#x} follows no line that was missed"
        assert line % min(4096, self.geo.way_bytes), f"{line:#x} is in another page"
        if line not in self.void:
            there = any(line in ways for ways in self.ways)
            assert line in missed or not there, f"{line:#x} is there"
            assert all(one.line != line for one in self.write_backs), f"{line:#x} leaves"
        self.taken.add(self.ahead.get(buffer))
        self.ahead[buffer] = line

    def take_ahead(self, line: int) -> None:
        """Its fill was not asked for."""
        there = {*self.ahead.values(), *self.taken}
        assert line in there, f"{line:#x} is filled, and was not read"
        self.ahead = {buffer: one for buffer, one in self.ahead.items() if one != line}
        self.taken.discard(line)

    def read(self, burst: Burst, line: int, words: list, hit: bool) -> None:
        forwarded = not burst.wraps or 4 * burst.beats == self.geo.line
        if not hit:
            assert self.line(self.flat, line) == self.line(self.image, line)
        bad = not hit and self.fill(line, words[0][0])
        for word, _ in words:
            resp = error(self.memory, word) if forwarded else SLVERR
            burst.expected.append((self.flat.word(word), resp if bad else OKAY))

    def write(self, burst: Burst, line: int, words: list, hit: bool) -> bool:
        for word, n in words:
            self.flat.store(word, burst.data[n], burst.strobes[n])
        self.dirty.add(line)
        whole = 4 * len(words) == self.geo.line and all(burst.strobes[n] == 15 for _, n in words)
        if whole and not hit:
            self.void.add(line)
            self.ahead = {buffer: one for buffer, one in self.ahead.items() if one != line}
        return not hit and not whole and self.fill(line, words[0][0])

    # ---- reset -----------------------------------------------------------------------------------
    def reset(self) -> None:
        """Memory holds what was written back, of the last lines perhaps not yet."""
        states = {}
        for one in self.write_backs:
            states.setdefault(one.line, [one.before]).append(one.after)
        for line, allowed in states.items():
            now = self.line(self.memory, line)
            assert now in allowed, f"{line:#x} is {now} after reset, not one of {allowed}"
            self.put(self.memory, line, now)
            self.put(self.image, line, now)
        assert self.memory.words == self.image.words
        self.flat.words = dict(self.image.words)
        self.fills.clear()
        self.write_backs.clear()
        self._forget()
