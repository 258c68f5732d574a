"""The walk cache alone: of two tables that overlap one answers, where tables may skip levels; what
came since a sweep read its place stays."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import Pins, settle

RUNS = [On("mmu:wide", "WalkCache")]

PAGE = 12
# What an entry of a table covers in all formats.
SIZES = (20, 21, 22, 24, 25, 28, 29, 30, 34, 36, 39, 40, 42, 44, 47, 48, 52, 54)
SMALL, LARGE = 28, 36
LEVEL, FORMAT = 4, 1


class Bench(Pins):
    LOW = ("tables_upcoming_valid", "tables_look", "tables_install_valid", "swept", "clear",
           "tables_key_tag", "tables_key_asid", "tables_key_tableFormat")  # fmt: skip

    async def find(self, page: int, asid: int) -> bool:
        """As a walk does: its ASID is known a cycle before it looks."""
        self.put(tables_upcoming_valid=1, tables_upcoming_payload=asid)
        await FallingEdge(self.dut.clk)
        self.put(tables_upcoming_valid=0, tables_look=1, tables_key_tag=page,
                 tables_key_asid=asid, tables_key_tableFormat=1 << FORMAT)  # fmt: skip
        await FallingEdge(self.dut.clk)
        self.put(tables_look=0)
        await settle()
        return bool(self.get("tables_found_valid"))

    async def remember(self, asid: int, page: int, size: int, pointer: int, skip: int) -> None:
        """A table that a walk has looked for in vain; the cache tells its entry in the next
        cycle."""
        await self.find(page, asid)
        code = sum((size > s) << n for n, s in enumerate(SIZES[:-1]))
        values = {"span": code, "kind_level": 1 << LEVEL, "kind_skip": skip,
                  "pointer_page": pointer}  # fmt: skip
        payload = {f"tables_install_payload_{name}": value for name, value in values.items()}
        self.put(tables_install_valid=1, **payload)
        await FallingEdge(self.dut.clk)
        self.put(tables_install_valid=0)
        await settle()
        assert self.get("installed_valid") and self.get("installedSpan") == code
        await FallingEdge(self.dut.clk)
        assert not self.get("installed_valid")


@bench_test(Bench)
async def one_of_two_that_overlap_answers(b):
    """Two tables of one level with different spans overlap when software changed a table without
    break-before-make. One of them answers, and nothing is mixed."""
    assert len(b.handle("tables_install_payload_span")) == len(SIZES) - 1
    draw = random.Random(cocotb.RANDOM_SEED)
    for _ in range(200):
        asid = draw.randrange(1, 1 << 15)
        block = draw.getrandbits(12) << LARGE - PAGE
        inner, outer = block | 3 << SMALL - PAGE, block | 9 << SMALL - PAGE
        tables = {(draw.getrandbits(24), 0): (inner, SMALL),
                  (draw.getrandbits(24), 1): (outer, LARGE)}  # fmt: skip
        for _ in range(draw.randrange(4)):  # so that they are at any two places
            await b.remember(asid ^ 1 << 15, block, SMALL, draw.getrandbits(24), 2)
        for answer, place in tables.items():
            await b.remember(asid, *place, *answer)
        assert await b.find(inner | draw.getrandbits(SMALL - PAGE), asid)
        found = b.get("tables_pointer_page"), b.get("tables_found_payload_skip")
        assert found in tables, f"{found} is neither of {list(tables)}"


@bench_test(Bench)
async def what_came_since_a_sweep_read_stays(b):
    """A sweep that clears a place in the cycle after a table came there means the one before."""
    page, asid = 3 << SMALL - PAGE, 7
    await b.remember(asid, page, SMALL, 5, 0)
    b.put(clear=1)
    await FallingEdge(b.dut.clk)
    b.put(clear=0)
    assert await b.find(page, asid) and b.get("tables_pointer_page") == 5
    b.put(clear=1)
    await FallingEdge(b.dut.clk)
    b.put(clear=0)
    assert not await b.find(page, asid)
