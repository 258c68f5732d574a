"""What is around a LineEngine: the arrays of a cache and a memory behind AXI, and what both must
hold. `truth` has each line as programs see it; dirty lines are right in the cache alone."""

import random

from cocotb.triggers import FallingEdge

from support.parts import Pins, low, settle, start
from support.streams import StreamMonitor
from unit.cache.geometry import current

GEOMETRY = current()
WAYS, SETS, COLOURS = GEOMETRY.ways, GEOMETRY.sets, GEOMETRY.colours
LOW = SETS // COLOURS  # sets of one colour
BEATS = GEOMETRY.line // 4
FILL, LINE, SWEEP = range(3)
WHOLE_LINE = {"len": BEATS - 1, "size": 2, "burst": 1}  # INCR; beats of four bytes
OKAY, SLVERR = 0, 2
PULSES = ("dropped_valid", "droppedAll", "events_miss", "events_evict", "events_writeback",
          "events_writebackError", "events_aliasMove")  # fmt: skip


class LineBench(Pins):
    """`latency`: cycles from ar to the first r. `hurry`: memory makes no other pause. `refuse`:
    lines that memory does not deliver or take."""

    def __init__(self, dut, seed: int, latency: int, hurry: bool):
        super().__init__(dut)
        self.draw, self.latency = random.Random(seed), latency
        self.hurry = hurry
        self.tags = [[(0, 0)] * WAYS for _ in range(SETS)]
        self.data = [[[0] * (BEATS // 2) for _ in range(WAYS)] for _ in range(SETS)]
        self.memory: dict[int, list[int]] = {}
        self.truth: dict[int, list[int]] = {}
        self.refuse: set[int] = set()
        self.beats: list[tuple[int, int, int]] = []  # word, resp, last: to be delivered
        self.waits, self.delivering = 0, False  # cycles until a beat; one is offered
        self.address, self.taken, self.response = None, [], None
        self.asked = None  # set and word of the read of the cycle before
        self.events = dict.fromkeys(PULSES, 0)
        self.dropped: list[int] = []
        self.monitor = StreamMonitor.of(dut)

    @classmethod
    async def start(cls, dut, *, seed: int = 1, latency: int = 4, hurry: bool = False):
        await start(dut, **low(dut))
        bench = cls(dut, seed, latency, hurry)
        cycles = 0
        while bench.get("busy"):
            await bench.cycle()
            cycles += 1
        bench.reset_cycles = cycles
        return bench

    # ---- lines -----------------------------------------------------------------------------------
    @staticmethod
    def tag_of(line: int) -> int:
        return line // LOW

    def places(self, line: int) -> list[tuple[int, int]]:
        """Where the line is: sets and ways."""
        return [(at, way) for at in range(line % LOW, SETS, LOW) for way in range(WAYS)
                if self.tags[at][way] == (1, self.tag_of(line))]  # fmt: skip

    def words_of(self, line: int) -> list[int]:
        """Of memory, two of 32 bits each."""
        return self.memory.setdefault(line, [self.draw.getrandbits(64) for _ in range(BEATS // 2)])

    def check(self, line: int) -> None:
        """There is one copy at most; it, or else memory, holds what was stored."""
        places = self.places(line)
        assert len(places) <= 1, f"line {line:#x} is in {places}"
        truth = self.truth.get(line, self.words_of(line))
        for at, way in places:
            assert self.data[at][way] == truth, f"line {line:#x} in the cache"
        assert places or self.words_of(line) == truth, f"line {line:#x} is lost"

    # ---- one cycle -------------------------------------------------------------------------------
    async def cycle(self) -> bool:
        """Plays arrays and memory; whether the engine is done."""
        if self.asked is not None:
            at, word = self.asked
            for way in range(WAYS):
                valid, tag = self.tags[at][way]
                self.put(**{f"tags_{way}_valid": valid, f"tags_{way}_tag": tag,
                            f"data_{way}": self.data[at][way][word]})  # fmt: skip
        delivers = bool(self.beats) and self.waits == 0 and (self.delivering or self._takes())
        self.waits -= self.waits > 0
        beat = self.beats[0] if self.beats else (0, 0, 0)
        self.put(axi_r_valid=delivers, axi_r_payload_data=beat[0], axi_r_payload_resp=beat[1],
                 axi_r_payload_last=beat[2], axi_ar_ready=self._takes(),
                 axi_aw_ready=self._takes(), axi_w_ready=self._takes(),
                 axi_b_valid=self.response is not None,
                 axi_b_payload_resp=self.response or 0)  # fmt: skip
        await settle()
        self.monitor.look()
        self._bus(delivers)
        self._arrays()
        for name in PULSES:
            self.events[name] += self.get(name)
        if self.get("dropped_valid"):
            self.dropped.append(self.get("dropped_payload"))
        done = bool(self.get("done_valid"))
        self.answer = self.get("done_payload_set"), self.get("done_payload_error")
        await FallingEdge(self.dut.clk)
        return done

    def _takes(self) -> bool:
        return self.hurry or self.draw.random() < 0.5

    def _line_of(self, channel: str) -> int:
        """Which one a command asks for: all of it, from its first byte on."""
        asked = {name: self.get(f"axi_{channel}_payload_{name}") for name in WHOLE_LINE}
        assert asked == WHOLE_LINE
        line, inside = divmod(self.get(f"axi_{channel}_payload_addr"), GEOMETRY.line)
        assert inside == 0, f"{channel} begins {inside} bytes behind that of a line"
        return line

    def _bus(self, delivers: bool) -> None:
        self.delivering = delivers and not self.get("axi_r_ready")
        if delivers and not self.delivering:
            self.beats.pop(0)
        if self.get("axi_ar_valid") and self.get("axi_ar_ready"):
            assert not self.beats, "one read at a time"
            line = self._line_of("ar")
            resp = SLVERR if line in self.refuse else OKAY
            halves = [w >> s & 0xFFFF_FFFF for w in self.words_of(line) for s in (0, 32)]
            self.beats = [(w, resp, n == BEATS - 1) for n, w in enumerate(halves)]
            self.waits = self.latency - 1
        if self.response is not None and self.get("axi_b_ready"):
            self.response = None
        if self.get("axi_aw_valid") and self.get("axi_aw_ready"):
            assert self.address is None
            self.address = self._line_of("aw")
        if self.get("axi_w_valid") and self.get("axi_w_ready"):
            self.taken.append(self.get("axi_w_payload_data"))
            assert self.get("axi_w_payload_strb") == 0b1111
            assert self.get("axi_w_payload_last") == (len(self.taken) == BEATS)
        if self.address is not None and len(self.taken) == BEATS:
            refused = self.address in self.refuse
            if not refused:
                pairs = zip(self.taken[::2], self.taken[1::2], strict=True)
                self.memory[self.address] = [low | high << 32 for low, high in pairs]
            self.response = SLVERR if refused else OKAY
            self.address, self.taken = None, []

    def _arrays(self) -> None:
        self.asked = None
        if self.get("read_valid"):
            self.asked = self.get("read_payload_set"), self.get("read_payload_word")
        for flow, store in (("tagWrite", self._store_tag), ("dataWrite", self._store_data)):
            if self.get(f"{flow}_valid"):
                ways = self.get(f"{flow}_payload_ways")
                for way in (w for w in range(WAYS) if ways >> w & 1):
                    store(self.get(f"{flow}_payload_set"), way)

    def _store_tag(self, at: int, way: int) -> None:
        entry = self.get("tagWrite_payload_entry_valid"), self.get("tagWrite_payload_entry_tag")
        self.tags[at][way] = entry

    def _store_data(self, at: int, way: int) -> None:
        self.data[at][way][self.get("dataWrite_payload_word")] = self.get("dataWrite_payload_data")

    # ---- what a cache does with it ---------------------------------------------------------------
    async def run(self, op: int, line: int = 0, at: int = 0, *, clean=0, invalidate=0, in_place=0):
        """A command; its cycles until done, the set and the error of the answer."""
        self.events = dict.fromkeys(PULSES, 0)
        self.dropped = []
        self.put(cmd_valid=1, cmd_payload_op=op, cmd_payload_line=line, cmd_payload_set=at,
                 cmd_payload_clean=clean, cmd_payload_invalidate=invalidate,
                 cmd_payload_inPlace=in_place)  # fmt: skip
        for cycles in range(60 * SETS):
            if await self.cycle():
                assert not self.get("busy"), "the engine does not end"
                return cycles, *self.answer
            self.put(cmd_valid=0)
        raise AssertionError("it does not end")

    async def store(self, line: int) -> None:
        """A hit that writes one word."""
        ((at, way),) = self.places(line)
        word, value = self.draw.randrange(BEATS // 2), self.draw.getrandbits(64)
        self.data[at][way][word] = value
        self.truth[line] = list(self.data[at][way])
        self.put(store_valid=1, store_payload_set=at, store_payload_ways=1 << way)
        await self.cycle()
        self.put(store_valid=0)
