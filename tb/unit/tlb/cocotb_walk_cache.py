"""The walk cache alone, against a list: the deepest table that covers an address, of its ASID and
its format; the oldest goes; what is swept is not found."""

import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle

RUNS = [On("mmu:teaching", part="WalkCache")]

ENTRIES = 8
PAGE = 12
# What an entry of a table covers in `teaching`: VMSAv8-64 with all granules, and Sv32.
SIZES = (21, 22, 25, 29, 30, 36, 39, 42, 47)
FORMATS = {  # number of the format's bit -> sizes of its entries, by the level of the table below
    0: {1: 39, 2: 30, 3: 21},
    1: {1: 47, 2: 36, 3: 25},
    2: {2: 42, 3: 29},
    3: {3: 22},
}
HIERARCHY = ("noEl0", "noWrite", "uxn", "pxn")
VA_BITS = 48


@dataclass(frozen=True)
class Table:
    page: int  # half and VA bits from the smallest page up
    asid: int
    form: int
    level: int
    pointer: int
    hierarchy: int

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

    async def look(self, page: int, asid: int, form: int) -> tuple[int, int, int] | None:
        """As a walk does: its ASID is known a cycle before it looks. Answers level, pointer and
        hierarchical bits of what is found."""
        self.put(tables_upcoming_valid=1, tables_upcoming_payload=asid)
        await FallingEdge(self.dut.clk)
        self.put(tables_upcoming_valid=0, tables_look=1, tables_key_tag=page,
                 tables_key_asid=asid, tables_key_tableFormat=1 << form)  # fmt: skip
        await FallingEdge(self.dut.clk)
        self.put(tables_look=0)
        await settle()
        if not self.get("tables_found_valid"):
            return None
        hierarchy = sum(
            self.get(f"tables_pointer_hierarchy_{name}") << n for n, name in enumerate(HIERARCHY)
        )
        level = self.get("tables_found_payload_level")
        assert level & level - 1 == 0, "one level"
        return level.bit_length() - 1, self.get("tables_pointer_page"), hierarchy

    async def install(self, table: Table) -> None:
        """For the walk that looked last. The cache tells the number of the entry in the next
        cycle."""
        code = sum((table.size > size) << n for n, size in enumerate(SIZES[:-1]))
        self.put(
            tables_install_valid=1,
            tables_install_payload_span=code,
            tables_install_payload_kind_level=1 << table.level,
            tables_install_payload_pointer_page=table.pointer,
            **{f"tables_install_payload_pointer_hierarchy_{name}": table.hierarchy >> n & 1
               for n, name in enumerate(HIERARCHY)},
        )  # fmt: skip
        await FallingEdge(self.dut.clk)
        self.put(tables_install_valid=0)
        await settle()
        assert self.get("installed_valid")
        number = self.get("installed_payload")
        assert number == self.next, "the oldest entry goes"
        assert self.get("installedSpan") == code
        self.held[number] = table
        self.next = (number + 1) % ENTRIES
        await FallingEdge(self.dut.clk)
        assert not self.get("installed_valid")

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


def drawn(draw: random.Random, page: int, asid: int, form: int, level: int) -> Table:
    return Table(page, asid, form, level, draw.getrandbits(24), draw.getrandbits(4))


@cocotb.test()
async def the_deepest_table_of_every_format(dut):
    draw = random.Random(1)
    for form, sizes in FORMATS.items():
        b = await Bench.start(dut)
        page, asid = draw.getrandbits(VA_BITS - PAGE + 1), 7
        for level in sizes:
            assert await b.look(page, asid, form) == b.deepest(page, asid, form)
            await b.install(drawn(draw, page, asid, form, level))
            assert (await b.look(page, asid, form))[0] == level
            for other_asid, other_form in ((asid, form ^ 1), (asid + 1, form), (asid, form)):
                for bit in range(VA_BITS - PAGE + 1):
                    key = page ^ 1 << bit, other_asid, other_form
                    assert await b.look(*key) == b.deepest(*key), (form, level, bit)


@bench_test(Bench)
async def what_was_found_stays_until_the_next_look(b):
    await b.look(5, 1, 0)
    await b.install(Table(5, 1, 0, 3, 0xABC, 5))
    answer = await b.look(5, 1, 0)
    assert answer == (3, 0xABC, 5)
    b.put(tables_key_tag=0, tables_key_asid=0)
    for _ in range(5):
        await FallingEdge(b.dut.clk)
        assert b.get("tables_found_valid") and b.get("tables_pointer_page") == 0xABC


@bench_test(Bench)
async def nothing_is_found_while_it_is_swept(b):
    await b.look(9, 2, 1)
    await b.install(Table(9, 2, 1, 2, 1, 0))
    assert b.get("tables_ready")
    b.put(swept=1)
    await settle()
    assert not b.get("tables_ready")
    assert await b.look(9, 2, 1) is None
    b.put(swept=0)
    assert await b.look(9, 2, 1) == (2, 1, 0)


@cocotb.test()
async def clear_takes_the_entries_it_names(dut):
    draw = random.Random(4)
    for mask in (1, 0x80, 0x55, 0xFF, 0):
        b = await Bench.start(dut)
        for n in range(ENTRIES):
            key = n << 20, 3, 0
            await b.look(*key)
            await b.install(drawn(draw, *key, 3))
        await b.clear(mask)
        for n in range(ENTRIES):
            assert (await b.look(n << 20, 3, 0) is None) == bool(mask >> n & 1), (mask, n)


@cocotb.test()
async def random_walks(dut):
    """Each looks, goes on below what it found, and installs the tables that it meets."""
    for seed in range(3):
        b = await Bench.start(dut)
        draw = random.Random(seed)
        pages = [draw.getrandbits(VA_BITS - PAGE + 1) for _ in range(3)]
        for _ in range(500):
            form, asid = draw.choice([*FORMATS]), draw.choice((1, 2, 0x8001))
            page = draw.choice(pages) ^ (draw.getrandbits(2) << draw.choice((0, 9, 10, 13, 18, 30)))
            page &= (1 << VA_BITS - PAGE + 1) - 1
            found = await b.look(page, asid, form)
            assert found == b.deepest(page, asid, form)
            for level in FORMATS[form]:
                if (found is None or level > found[0]) and draw.random() < 0.8:
                    await b.install(drawn(draw, page, asid, form, level))
            if draw.random() < 0.1:
                await b.clear(draw.getrandbits(ENTRIES))
