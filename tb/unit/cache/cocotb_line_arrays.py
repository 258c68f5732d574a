"""The arrays of the data cache against a dictionary: every write reaches the ways that it names
and no other, and an answer stays until the next read."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import start
from unit.cache.geometry import current

RUNS = [
    On("l1data:teaching", part="LineArrays"),
    On("l1data:ulx3s", part="LineArrays"),
]

GEOMETRY = current()
WAYS, SETS, WORDS = GEOMETRY.ways, GEOMETRY.sets, GEOMETRY.line // 8


async def arrays(dut) -> None:
    flows = {f"io_{flow}_valid": 0 for flow in ("read", "tagWrite", "dataWrite")}
    fields = ("read_payload_set", "read_payload_word", "tagWrite_payload_ways",
              "tagWrite_payload_set", "tagWrite_payload_entry_valid", "tagWrite_payload_entry_tag",
              "dataWrite_payload_ways", "dataWrite_payload_set", "dataWrite_payload_word",
              "dataWrite_payload_data")  # fmt: skip
    await start(dut, **flows, **{f"io_{name}": 0 for name in fields})


def put(dut, flow: str, **fields) -> None:
    """One cycle of a flow."""
    getattr(dut, f"io_{flow}_valid").value = 1
    for name, value in fields.items():
        getattr(dut, f"io_{flow}_payload_{name}").value = value


def quiet(dut) -> None:
    for flow in ("read", "tagWrite", "dataWrite"):
        getattr(dut, f"io_{flow}_valid").value = 0


def answers(dut) -> list[tuple[int, int, int]]:
    """Of each way: valid, tag, word."""

    def get(name):
        return int(getattr(dut, f"io_{name}").value)

    return [(get(f"tags_{w}_valid"), get(f"tags_{w}_tag"), get(f"data_{w}")) for w in range(WAYS)]


@cocotb.test()
async def every_write_and_no_other(dut):
    await arrays(dut)
    draw = random.Random(1)
    tag_bits = len(dut.io_tags_0_tag)
    sets = [0, SETS - 1, *draw.sample(range(1, SETS - 1), 6)]
    words = [0, WORDS - 1, 1]
    tags, data = {}, {}
    for at in sets:  # what was never written means nothing
        for way in range(WAYS):
            tags[at, way] = (0, draw.getrandbits(tag_bits))
            put(dut, "tagWrite", ways=1 << way, set=at, entry_valid=0, entry_tag=tags[at, way][1])
            await FallingEdge(dut.clk)
            quiet(dut)
            for word in words:
                data[at, word, way] = draw.getrandbits(64)
                put(dut, "dataWrite", ways=1 << way, set=at, word=word, data=data[at, word, way])
                await FallingEdge(dut.clk)
                quiet(dut)
    expected = None
    for _ in range(2000):
        reads = draw.random() < 0.6
        at, word = draw.choice(sets), draw.choice(words)
        if reads:
            put(dut, "read", set=at, word=word)
        other, ways = draw.choice(sets), draw.getrandbits(WAYS)
        entry = draw.getrandbits(1), draw.getrandbits(tag_bits)
        stores = []
        if draw.random() < 0.4 and not (reads and other == at):
            put(dut, "tagWrite", ways=ways, set=other, entry_valid=entry[0], entry_tag=entry[1])
            stores += [(tags, (other, w), entry) for w in range(WAYS) if ways >> w & 1]
        place, value = draw.choice(words), draw.getrandbits(64)
        if draw.random() < 0.4 and not (reads and (other, place) == (at, word)):
            put(dut, "dataWrite", ways=ways, set=other, word=place, data=value)
            stores += [(data, (other, place, w), value) for w in range(WAYS) if ways >> w & 1]
        if reads:
            expected = [(*tags[at, w], data[at, word, w]) for w in range(WAYS)]
        for ram, key, stored in stores:
            ram[key] = stored
        await FallingEdge(dut.clk)
        quiet(dut)
        if expected:
            assert answers(dut) == expected
