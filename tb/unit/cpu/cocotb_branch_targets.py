"""The branch target buffer beside a table in Python: what it learned last at an index answers, if the
tag is that of the address."""

import random

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle

RUNS = [On("simsoc:teaching", part="BranchTargets")]

ENTRIES, TAGS = 64, 1 << 12


class Bench(Pins):
    def __init__(self, dut):
        super().__init__(dut)
        self.table: dict[int, tuple[int, dict]] = {}  # by index: tag and guess

    @staticmethod
    def place(pc: int) -> tuple[int, int]:
        return pc >> 2 & (ENTRIES - 1), pc >> 8 & (TAGS - 1)

    async def cycle(self, address: int, learn: tuple[int, dict] | None, forget: bool) -> bool:
        """Whether it steers, and as the table says."""
        pc, guess = learn or (0, {"steers": 0, "strong": 0, "offset": 0})
        self.put(address=address, forget=forget, learn_valid=learn is not None, learn_payload_pc=pc,
                 **{f"learn_payload_guess_{name}": value for name, value in guess.items()})  # fmt: skip
        await settle()
        index, tag = self.place(address)
        kept, expected = self.table.get(index, (None, None))
        steers = bool(self.get("guess_steers"))
        assert steers == (kept == tag), hex(address)
        if steers:
            assert {name: self.get(f"guess_{name}") for name in expected} == expected
        if learn:
            index, tag = self.place(pc)
            self.table.pop(index, None)
            if guess["steers"]:
                self.table[index] = tag, guess
        if forget:
            self.table.clear()
        await FallingEdge(self.dut.clk)
        return steers


@bench_test(Bench)
async def it_guesses_what_it_learned_last(b):
    """Few addresses, so that some share an index and some a tag, too."""
    draw = random.Random(1)
    addresses = [draw.getrandbits(30) << 2 for _ in range(20)]
    addresses += [pc ^ 1 << bit for pc in addresses[:10] for bit in (8, 19, 20)]
    steered = 0
    for _ in range(4000):
        guess = {"steers": draw.random() < 0.8, "strong": draw.getrandbits(1),
                 "offset": draw.getrandbits(10)}  # fmt: skip
        learn = (draw.choice(addresses), guess) if draw.random() < 0.3 else None
        steered += await b.cycle(draw.choice(addresses), learn, draw.random() < 0.01)
    assert steered > 500
