"""The fetch unit between a cache and a decoder that both do as they like: decode sees the
instructions of the program, in order, whatever jumps come in between."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle
from support.streams import StreamMonitor

RUNS = [On("simsoc:teaching", part="Fetch")]

RESET = 0x8000_0000
ROOM = 3
TOLD = (1 << 19) - 1  # the part of an address that a guess is found by
PRIVILEGE = ("el1", "pan", "mxr", "untranslated")


def word_at(va: int) -> int:
    return va * 0x9E37_79B1 & 0xFFFF_FFFF


class Bench(Pins):
    """`faults`: addresses that cannot be read. `slow`: most cycles that an answer takes."""

    def __init__(self, dut, seed: int = 1, faults=(), slow: int = 1, takes: float = 1.0):
        super().__init__(dut)
        self.draw, self.faults, self.slow = random.Random(seed), faults, slow
        self.takes = takes
        self.open: list[list[int]] = []  # [address, cycles until the answer]
        self.pc, self.seen, self.privilege = RESET, [], 0
        self.learned: set[tuple[int, int]] = set()  # address and target
        self.steered = 0
        self.monitor = StreamMonitor.of(dut, may_withdraw={"io_output": lambda: self.cancels})
        self.cancels = False

    async def cycle(self, *, redirect=None, flush=None, ready=None, learn=None) -> bool:
        """One cycle; whether decode took an instruction. Privilege changes after a flush only.
        `learn`: an address and where fetch shall go behind it."""
        draw = self.draw
        self.cancels = redirect is not None or flush is not None
        answers = bool(self.open) and self.open[0][1] <= 0
        fault = answers and self.open[0][0] in self.faults
        self.put(
            redirect_valid=redirect is not None, redirect_payload=redirect or 0,
            flush_valid=flush is not None, flush_payload=flush or 0,
            forget=0, learn_valid=learn is not None, learn_payload_pc=(learn or [0])[0],
            learn_payload_guess_known=1, learn_payload_guess_taken=1, calls_valid=0, returned=0,
            learn_payload_guess_returns=0, learn_payload_guess_strong=draw.getrandbits(1),
            learn_payload_guess_offset=(learn or [0, 0])[1] >> 2 & 0x3FF,
            port_cmd_ready=draw.random() < self.takes, port_rsp_valid=answers,
            port_rsp_payload_data=word_at(self.open[0][0]) if answers else draw.getrandbits(32),
            port_rsp_payload_fault_valid=fault,
            port_rsp_payload_fault_status=self.open[0][0] >> 2 & 0x3F if answers else 0,
            output_ready=not self.cancels and (draw.random() < 0.7 if ready is None else ready),
            **{f"privilege_{p}": self.privilege >> n & 1 for n, p in enumerate(PRIVILEGE)},
        )  # fmt: skip
        if learn is not None:
            self.learned.add((learn[0] & TOLD, learn[1] & 0xFFF))
        await settle()
        self.monitor.look()
        for entry in self.open:
            entry[1] -= 1
        if answers:
            self.open.pop(0)
        if self.get("port_cmd_valid") and self.get("port_cmd_ready"):
            privilege = sum(
                self.get(f"port_cmd_payload_privilege_{p}") << n for n, p in enumerate(PRIVILEGE)
            )
            self.asked = self.get("port_cmd_payload_va"), privilege
            self.open.append([self.asked[0], draw.randint(0, self.slow - 1)])
        took = bool(self.get("output_valid") and self.get("output_ready"))
        if took:
            self._look_at_output()
        if self.cancels:
            self.pc = redirect if flush is None else flush
        if flush is not None:
            self.privilege = draw.getrandbits(4)
        await FallingEdge(self.dut.clk)
        return took

    def _look_at_output(self) -> None:
        assert self.get("pc") == self.pc
        fault = self.pc in self.faults
        assert self.get("output_payload_fault") == fault
        if fault:
            assert self.get("output_payload_status") == self.pc >> 2 & 0x3F
        else:
            assert self.get("output_payload_word") == word_at(self.pc), hex(self.pc)
        self.seen.append(self.pc)
        if self.get("guess_known") and self.get("guess_taken"):
            target = self.pc & ~0xFFF | self.get("guess_offset") << 2
            assert (self.pc & TOLD, target & 0xFFF) in self.learned
            self.steered += 1
            self.pc = target
        else:
            self.pc += 4


@cocotb.test()
async def it_asks_only_for_what_it_has_room_for(dut):
    """A decoder that takes nothing."""
    for slow in (1, 6):
        b = await Bench.start(dut, slow=slow)
        for _ in range(40):
            await b.cycle(ready=False)
        assert b.asked[0] == RESET + 4 * (ROOM - 1)
        for _ in range(40):
            await b.cycle(ready=True)
        assert len(b.seen) > 10


@bench_test(Bench, faults={RESET + 8})
async def nothing_is_asked_after_a_fault(b):
    """Until a jump."""
    for _ in range(30):
        await b.cycle(ready=True)
    assert b.seen[:3] == [RESET, RESET + 4, RESET + 8]
    assert b.asked[0] <= RESET + 8 + 4 * ROOM
    asked = b.asked
    for _ in range(20):
        await b.cycle(ready=False)
    assert b.asked == asked and not b.open
    for jump in ({"redirect": 0x500}, {"flush": 0x700}):
        await b.cycle(**jump)
        b.seen.clear()
        for _ in range(8):
            await b.cycle(ready=True)
        assert b.seen[0] == next(iter(jump.values()))


@bench_test(Bench)
async def a_loop_that_was_learned_has_no_bubble(b):
    """Of two instructions and more: nothing is guessed where a redirect goes."""
    for length in range(2, 7):
        start = 0x1000 * length
        last = start + 4 * (length - 1)
        await b.cycle(learn=(last, start))
        await b.cycle(redirect=start)
        assert not await b.cycle(ready=True)  # the first one's answer comes
        b.seen.clear()
        for _ in range(30):
            assert await b.cycle(ready=True)
        assert b.seen == [start + 4 * (n % length) for n in range(30)]


@bench_test(Bench)
async def what_is_forgotten_steers_no_more(b):
    await b.cycle(learn=(0x1004, 0x1004))
    await b.cycle(redirect=0x1000)
    for _ in range(10):
        await b.cycle(ready=True)
    assert b.steered > 5
    b.put(forget=1)
    await FallingEdge(b.dut.clk)
    await b.cycle(redirect=0x1000)
    b.steered = 0
    for _ in range(10):
        await b.cycle(ready=True)
    assert b.steered == 0 and len(b.seen) > 10


@cocotb.test()
async def random_jumps_and_answers(dut):
    steered = 0
    for seed in range(12):
        draw = random.Random(seed)
        faults = {draw.randrange(0, 0x400, 4) for _ in range(draw.choice((0, 0, 8)))}
        b = await Bench.start(dut, seed, faults=faults, slow=draw.choice((1, 2, 7)),
                              takes=draw.choice((1.0, 0.7, 0.3)))  # fmt: skip
        jumps = draw.choice((0.02, 0.1, 0.4))
        for _ in range(600):
            kind = draw.choice(("redirect", "redirect", "flush")) if draw.random() < jumps else None
            learn = tuple(draw.randrange(0, 0x400, 4) for _ in range(2))
            await b.cycle(
                **({kind: draw.randrange(0, 0x400, 4)} if kind else {}),
                learn=learn if draw.random() < 0.2 else None,
            )
        assert len(b.seen) > 30 or jumps == 0.4 or faults, len(b.seen)
        steered += b.steered
        # Whatever was under way: behind a jump to what can be read, instructions come again.
        await b.cycle(**{draw.choice(("redirect", "flush")): 0x1000})
        b.seen.clear()
        for _ in range(200):
            await b.cycle()
        assert b.seen[0] == 0x1000 and len(b.seen) > 10, [*map(hex, b.seen)]
    assert steered > 100
