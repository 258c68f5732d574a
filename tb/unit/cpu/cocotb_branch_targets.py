"""The branch target buffer beside a table in Python: what it learned last at an index answers, if
the tag is that of the address."""

import random

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle

RUNS = [On("simsoc:teaching", part="BranchTargets")]

ENTRIES, TAGS, DEPTH = 128, 1 << 10, 4


FIELDS = ("known", "taken", "strong", "returns", "offset")


class Bench(Pins):
    def __init__(self, dut):
        super().__init__(dut)
        self.table: dict[int, tuple[int, dict]] = {}  # by index: tag and guess
        self.behind: list[int] = []  # calls, the last one first

    @staticmethod
    def place(pc: int) -> tuple[int, int]:
        return pc >> 2 & (ENTRIES - 1), pc >> 9 & (TAGS - 1)

    async def cycle(self, address: int, learn: tuple[int, dict] | None = None, *, forget=False,
                    calls: int | None = None, returned=False) -> dict:  # fmt: skip
        """The guess, which is what the table says."""
        pc, guess = learn or (0, dict.fromkeys(FIELDS, 0))
        learned = {f"learn_payload_guess_{name}": value for name, value in guess.items()}
        self.put(address=address, forget=forget, learn_valid=learn is not None, learn_payload_pc=pc,
                 calls_valid=calls is not None, calls_payload=calls or 0, returned=returned,
                 **learned)  # fmt: skip
        await settle()
        index, tag = self.place(address)
        kept, expected = self.table.get(index, (None, None))
        found = {name: self.get(f"guess_{name}") for name in FIELDS}
        assert found["known"] == (kept == tag), hex(address)
        if found["known"]:
            if expected["returns"] and self.behind:
                expected = expected | {"offset": self.behind[0]}
            if not expected["returns"] or self.behind:
                assert found == expected
        if learn:
            index, tag = self.place(pc)
            self.table.pop(index, None)
            if guess["known"]:
                self.table[index] = tag, guess
        if forget:
            self.table.clear()
        if calls is not None:
            self.behind = [calls, *self.behind][:DEPTH]
        elif returned:
            self.behind = self.behind[1:]
        await FallingEdge(self.dut.clk)
        return found


@bench_test(Bench)
async def it_guesses_what_it_learned_last(b):
    """Few addresses, so that some share an index and some a tag, too."""
    draw = random.Random(1)
    addresses = [draw.getrandbits(30) << 2 for _ in range(20)]
    addresses += [pc ^ 1 << bit for pc in addresses[:10] for bit in (8, 9, 18, 19)]
    known = 0
    for _ in range(4000):
        guess = {name: draw.getrandbits(1) for name in FIELDS} | {"offset": draw.getrandbits(10)}
        guess["known"] = draw.random() < 0.8
        learn = (draw.choice(addresses), guess) if draw.random() < 0.3 else None
        calls = draw.getrandbits(10) if draw.random() < 0.2 else None
        found = await b.cycle(
            draw.choice(addresses), learn, forget=draw.random() < 0.01, calls=calls,
            returned=calls is None and draw.random() < 0.2,
        )  # fmt: skip
        known += found["known"]
    assert known > 500
