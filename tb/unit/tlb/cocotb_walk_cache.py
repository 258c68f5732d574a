"""The walk cache alone, against a list: the deepest table that covers an address, of its ASID and
its format; the oldest goes; what is swept is not found. In `wide`, tables may skip levels."""

import os
import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle

RUNS = [
    On("mmu:teaching", "WalkCache", tests=["the_deepest_table_of_every_format", "random_walks"]),
    On("mmu:wide", "WalkCache", tests=["one_of_two_that_overlap_answers"]),
]

ENTRIES = 8
PAGE, VA_BITS = 12, 48
# What an entry of a table covers in all formats: in `teaching` VMSAv8-64 with all granules, and
# Sv32.
SIZES = {
    "teaching": (21, 22, 25, 29, 30, 36, 39, 42, 47),
    "wide": (20, 21, 22, 24, 25, 28, 29, 30, 34, 36, 39, 40, 42, 44, 47, 48, 52, 54),
}[os.environ.get("GRANULE_CONFIG", "teaching")]
FORMATS = {  # number of the format's bit -> sizes of its entries, by the level of the table below
    0: {1: 39, 2: 30, 3: 21},
    1: {1: 47, 2: 36, 3: 25},
    2: {2: 42, 3: 29},
    3: {3: 22},
}
HIERARCHY = ("noEl0", "noWrite", "uxn", "pxn")


@dataclass(frozen=True)
class Table:
    page: int  # half and VA bits from the smallest page up
    asid: int
    form: int
    level: int
    pointer: int
    hierarchy: int

    @classmethod
    def drawn(cls, draw: random.Random, *key: int) -> "Table":
        return cls(*key, draw.getrandbits(24), draw.getrandbits(4))

    @property
    def size(self) -> int:
        return FORMATS[self.form][self.level]

    def covers(self, page: int, asid: int, form: int) -> bool:
        inside = self.size - PAGE
        return (self.asid, self.form, self.page >> inside) == (asid, form, page >> inside)


class Bench(Pins):
    """`held`: by the number of its entry, what the cache should know."""

    LOW = ("tables_upcoming_valid", "tables_look", "tables_install_valid", "swept", "clear",
           "tables_key_tag", "tables_key_asid", "tables_key_tableFormat")  # fmt: skip

    def __init__(self, dut):
        super().__init__(dut)
        self.held, self.next = {}, 0

    async def find(self, page: int, asid: int, form: int) -> bool:
        """As a walk does: its ASID is known a cycle before it looks."""
        self.put(tables_upcoming_valid=1, tables_upcoming_payload=asid)
        await FallingEdge(self.dut.clk)
        self.put(tables_upcoming_valid=0, tables_look=1, tables_key_tag=page,
                 tables_key_asid=asid, tables_key_tableFormat=1 << form)  # fmt: skip
        await FallingEdge(self.dut.clk)
        self.put(tables_look=0)
        await settle()
        return bool(self.get("tables_found_valid"))

    async def look(self, page: int, asid: int, form: int) -> tuple[int, int, int] | None:
        """Level, pointer and hierarchical bits of what is found."""
        if not await self.find(page, asid, form):
            return None
        hierarchy = sum(
            self.get(f"tables_pointer_hierarchy_{name}") << n for n, name in enumerate(HIERARCHY)
        )
        level = self.get("tables_found_payload_level")
        assert level & level - 1 == 0, "one level"
        return level.bit_length() - 1, self.get("tables_pointer_page"), hierarchy

    async def remember(self, size: int, level: int, pointer: int, **more: int) -> int:
        """A table, for the walk that looked last. Answers the number of its entry, which the cache
        tells in the next cycle."""
        code = sum((size > s) << n for n, s in enumerate(SIZES[:-1]))
        values = {"span": code, "kind_level": 1 << level, "pointer_page": pointer} | more
        payload = {f"tables_install_payload_{name}": value for name, value in values.items()}
        self.put(tables_install_valid=1, **payload)
        await FallingEdge(self.dut.clk)
        self.put(tables_install_valid=0)
        await settle()
        assert self.get("installed_valid")
        number = self.get("installed_payload")
        assert self.get("installedSpan") == code
        await FallingEdge(self.dut.clk)
        assert not self.get("installed_valid")
        return number

    async def install(self, table: Table) -> None:
        bits = {f"pointer_hierarchy_{name}": table.hierarchy >> n & 1
                for n, name in enumerate(HIERARCHY)}  # fmt: skip
        number = await self.remember(table.size, table.level, table.pointer, **bits)
        assert number == self.next, "the oldest entry goes"
        self.held[number] = table
        self.next = (number + 1) % ENTRIES

    async def clear(self, mask: int) -> None:
        """A cycle after the last table was installed: what a sweep clears was there before."""
        await FallingEdge(self.dut.clk)
        self.put(clear=mask)
        await FallingEdge(self.dut.clk)
        self.put(clear=0)
        for number in [n for n in self.held if mask >> n & 1]:
            del self.held[number]

    def deepest(self, page: int, asid: int, form: int):
        found = [t for t in self.held.values() if t.covers(page, asid, form)]
        best = max(found, key=lambda table: table.level, default=None)
        return best and (best.level, best.pointer, best.hierarchy)


@cocotb.test()
async def the_deepest_table_of_every_format(dut):
    draw = random.Random(1)
    for form, sizes in FORMATS.items():
        b = await Bench.start(dut)
        page, asid = draw.getrandbits(VA_BITS - PAGE + 1), 7
        for level in sizes:
            assert await b.look(page, asid, form) == b.deepest(page, asid, form)
            await b.install(Table.drawn(draw, page, asid, form, level))
            assert (await b.look(page, asid, form))[0] == level
            for other_asid, other_form in ((asid, form ^ 1), (asid + 1, form), (asid, form)):
                for bit in range(VA_BITS - PAGE + 1):
                    key = page ^ 1 << bit, other_asid, other_form
                    assert await b.look(*key) == b.deepest(*key), (form, level, bit)


@cocotb.test()
async def random_walks(dut):
    """Each looks, goes on below what it found, and installs the tables that it meets. Now and then
    a sweep is under way, in which nothing is found, and entries are cleared."""
    for seed in range(3):
        b = await Bench.start(dut)
        draw = random.Random(seed)
        pages = [draw.getrandbits(VA_BITS - PAGE + 1) for _ in range(3)]
        for _ in range(500):
            form, asid = draw.choice([*FORMATS]), draw.choice((1, 2, 0x8001))
            page = draw.choice(pages) ^ (draw.getrandbits(2) << draw.choice((0, 9, 10, 13, 18, 30)))
            page &= (1 << VA_BITS - PAGE + 1) - 1
            if draw.random() < 0.1:
                b.put(swept=1)
                assert await b.look(page, asid, form) is None, "found during a sweep"
                assert not b.get("tables_ready")
                b.put(swept=0)
            found = await b.look(page, asid, form)
            assert found == b.deepest(page, asid, form)
            for level in FORMATS[form]:
                if (found is None or level > found[0]) and draw.random() < 0.8:
                    await b.install(Table.drawn(draw, page, asid, form, level))
            if draw.random() < 0.1:
                await b.clear(draw.getrandbits(ENTRIES))


@bench_test(Bench)
async def one_of_two_that_overlap_answers(b):
    """Two tables of one level with different spans overlap when software changed a table without
    break-before-make. One of them answers, and nothing is mixed."""
    assert len(b.handle("tables_install_payload_span")) == len(SIZES) - 1
    small, large, level, form = 28, 36, 4, 1
    draw = random.Random(cocotb.RANDOM_SEED)

    async def remember(asid: int, page: int, size: int, pointer: int, skip: int) -> None:
        await b.find(page, asid, form)
        await b.remember(size, level, pointer, kind_skipBits=skip)

    for _ in range(200):
        asid = draw.randrange(1, 1 << 15)
        block = draw.getrandbits(12) << large - PAGE
        inner, outer = block | 3 << small - PAGE, block | 9 << small - PAGE
        tables = {(draw.getrandbits(24), 0): (inner, small),
                  (draw.getrandbits(24), 1): (outer, large)}  # fmt: skip
        for _ in range(draw.randrange(4)):  # so that they are at any two places
            await remember(asid ^ 1 << 15, block, small, draw.getrandbits(24), 2)
        for answer, place in tables.items():
            await remember(asid, *place, *answer)
        assert await b.find(inner | draw.getrandbits(small - PAGE), asid, form)
        found = b.get("tables_pointer_page"), b.get("tables_found_payload_skipBits")
        assert found in tables, f"{found} is neither of {list(tables)}"
