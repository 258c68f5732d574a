"""The arrays of the data cache against a dictionary: every write reaches the ways that it names
and no other, and an answer stays until the next read."""

import random

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins
from unit.cache.geometry import current

RUNS = [
    On("l1data:teaching", part="LineArrays"),
    On("l1data:ulx3s", part="LineArrays"),
]

GEOMETRY = current()
WAYS, SETS, WORDS = GEOMETRY.ways, GEOMETRY.sets, GEOMETRY.line // 8


class Arrays(Pins):
    async def cycle(self, **flows: dict[str, int]) -> None:
        """With these flows, by the fields of their payloads."""
        for flow in ("read", "tagWrite", "dataWrite"):
            self.put(**{f"{flow}_valid": flow in flows})
        for flow, fields in flows.items():
            self.put(**{f"{flow}_payload_{name}": value for name, value in fields.items()})
        await FallingEdge(self.dut.clk)

    def answers(self) -> list[tuple[int, ...]]:
        """Of each way: valid, tag, word."""
        names = ("tags_{}_valid", "tags_{}_tag", "data_{}")
        return [tuple(self.get(name.format(way)) for name in names) for way in range(WAYS)]


@bench_test(Arrays)
async def every_write_and_no_other(b):
    draw = random.Random(1)
    tag_bits = len(b.handle("tags_0_tag"))
    sets = [0, SETS - 1, *draw.sample(range(1, SETS - 1), 6)]
    words = [0, WORDS - 1, 1]
    tags, data = {}, {}
    for at in sets:  # what was never written means nothing
        for way in range(WAYS):
            tags[at, way] = (0, draw.getrandbits(tag_bits))
            tag = {"entry_valid": 0, "entry_tag": tags[at, way][1]}
            await b.cycle(tagWrite={"ways": 1 << way, "set": at, **tag})
            for word in words:
                data[at, word, way] = draw.getrandbits(64)
                where = {"ways": 1 << way, "set": at, "word": word}
                await b.cycle(dataWrite={**where, "data": data[at, word, way]})
    expected = None
    for _ in range(2000):
        reads = draw.random() < 0.6
        at, word = draw.choice(sets), draw.choice(words)
        flows = {"read": {"set": at, "word": word}} if reads else {}
        other, ways = draw.choice(sets), draw.getrandbits(WAYS)
        entry = draw.getrandbits(1), draw.getrandbits(tag_bits)
        stores = []
        if draw.random() < 0.4 and not (reads and other == at):
            fields = {"ways": ways, "set": other, "entry_valid": entry[0], "entry_tag": entry[1]}
            flows["tagWrite"] = fields
            stores += [(tags, (other, w), entry) for w in range(WAYS) if ways >> w & 1]
        place, value = draw.choice(words), draw.getrandbits(64)
        if draw.random() < 0.4 and not (reads and (other, place) == (at, word)):
            flows["dataWrite"] = {"ways": ways, "set": other, "word": place, "data": value}
            stores += [(data, (other, place, w), value) for w in range(WAYS) if ways >> w & 1]
        if reads:
            expected = [(*tags[at, w], data[at, word, w]) for w in range(WAYS)]
        for ram, key, stored in stores:
            ram[key] = stored
        await b.cycle(**flows)
        if expected:
            assert b.answers() == expected
