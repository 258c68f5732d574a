"""InvalidateSweep against a truth table: every kind, with and without lastLevelOnly, against
entries of every column, where the command points and elsewhere."""

import os
import random
import re
from dataclasses import dataclass
from itertools import product

from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from drivers.started import bench_test
from model.tlbi import TG_OF_GRANULE
from support.on import On
from support.parts import Pins, start
from support.root import ROOT
from support.seed import run_seed

RUNS = [On("invalidatesweep:wide"), On("invalidatesweep:small", rare=True)]

# What InvalidateScope.scala says of itself in its head; a test below compares them.
TABLE = """
kind           leaves                 tables         the walk       counted
               global  ours   others  ours   others  ours   others  as
all            yes     yes    yes     yes    yes     yes    yes     all
asid           -       yes    -       yes    -       yes    -       asid
va             there   there  -       there  -       half   half    va
vaAllAsids     there   there  there   there  there   half   half    va
range          there   there  -       there  -       half   half    range
rangeAllAsids  there   there  there   there  there   half   half    range
"""
COLUMNS = ("global leaf", "our leaf", "other leaf", "our table", "other table", "our walk",
           "other walk", "counted")  # fmt: skip
EVENTS = ("all", "asid", "va", "range")

CONFIG = os.environ.get("GRANULE_CONFIG", "wide")
# Numbers of leaves (data TLB, then fetch TLB) and of tables (walk cache): soc/GranuleConfig.
SIZES = {"wide": (16 + 8, 8), "small": (16 + 4, 0)}[CONFIG]
SWEPT = 32 // 2 + 4  # cycles from a command to the next one
GRANULES = (12, 14, 16)
OURS, OTHER = 0x35, 0x36
HERE = 0x1234_5678 << 12  # a multiple of 32K, where the commands point
FAR = HERE + (1 << 30)
UPPER = (1 << 56) - (1 << 45)  # within reach of a range's base


def table() -> dict[str, tuple[str, ...]]:
    """Its rows by the kind's name, in the order of the kinds' codes."""
    rows = [line.split() for line in TABLE.strip().splitlines()[2:]]
    return {kind: tuple(cells) for kind, *cells in rows}


@dataclass(frozen=True)
class Entry:
    column: str
    va: int
    granule: int

    @property
    def asid(self) -> int:
        return OURS if self.column.startswith("our") else OTHER

    def covered(self, cell: str, kind: str, *, upper: bool, granule: int, last: bool) -> bool:
        there = bool(self.va & UPPER) == upper and (self.va & ~UPPER) == HERE
        named = not kind.startswith("range") or self.granule == granule
        stays = last and self.column.endswith("table")
        return {"yes": True, "-": False, "there": there and named}[cell] and not stays


def entries(pick: random.Random) -> dict[int, Entry]:
    """As many of all columns, places and granules as fit, one at every number of the sweep."""
    places = list(product((HERE, HERE | UPPER, FAR), GRANULES))
    leaves = [Entry(c, va, g) for (va, g), c in product(places, COLUMNS[:3])]
    tables = [Entry(c, va, g) for (va, g), c in product(places, COLUMNS[3:5])]
    pick.shuffle(leaves)
    pick.shuffle(tables)
    of_leaves, of_tables = SIZES
    return dict(enumerate(leaves[:of_leaves] + tables[:of_tables]))


@dataclass(frozen=True)
class Outcome:
    """`cleared` has a bit for each entry; `cycles` from acceptance to done, `swept` to the next
    command."""

    cleared: int
    concerned: bool
    events: list[str]
    cycles: int
    swept: int


class Bench(Pins):
    @classmethod
    async def start(cls, dut):
        selected = {"io_selected": 0} if hasattr(dut, "io_selected") else {}
        await start(dut, io_port_cmd_valid=0, io_install_valid=0, **selected)
        await RisingEdge(dut.clk)
        return cls(dut)

    def page(self, va: int) -> int:
        """Half and VA bits from the smallest page up, as entries have them."""
        bits = len(self.handle("install_payload_entry_firstPage")) - 1
        return (va >> 55 & 1) << bits | va >> 12 & (1 << bits) - 1

    def operand(self, kind: str, *, upper: bool, granule: int) -> int:
        """For what begins at `HERE`: a page, or a range of two pages."""
        va = HERE | (UPPER if upper else 0)
        if kind.startswith("range"):
            return OURS << 48 | TG_OF_GRANULE[granule] << 46 | va >> granule & (1 << 37) - 1
        return OURS << 48 | va >> 12

    async def install(self, number: int, entry: Entry):
        """As an entry of the smallest size, the code of which is zero."""
        fields = {
            "firstPage": self.page(entry.va),
            "span": 0,
            "global": int(entry.column == "global leaf"),
            "asid": entry.asid,
            "granule": 1 << GRANULES.index(entry.granule),
        }
        entry_fields = {f"install_payload_entry_{name}": value for name, value in fields.items()}
        self.put(install_valid=1, install_payload_number=number, **entry_fields)
        await RisingEdge(self.dut.clk)
        self.put(install_valid=0)

    def counted(self) -> list[str]:
        return [name for name in EVENTS if self.get(f"events_{name}")]

    async def command(
        self, kind: int, operand: int = 0, *, last: bool = False, walk=(0, 0), swap: int = 0
    ) -> Outcome:
        """One invalidation while `walk` is under way, the compare-and-swap of which may be made for
        `swap` cycles more."""
        self.put(port_cmd_payload_kind=kind, port_cmd_payload_operand=operand,
                 port_cmd_payload_lastLevelOnly=int(last), port_cmd_payload_ds=0,
                 underWay_upper=walk[0], underWay_asid=walk[1], underWay_mayStore=0,
                 port_cmd_valid=1)  # fmt: skip
        await ReadOnly()
        assert self.get("port_cmd_ready") and self.get("invalidated_valid")
        concerned, events = bool(self.get("invalidated_payload")), self.counted()
        cleared, done = 0, []
        for cycle in range(1, 200):
            await RisingEdge(self.dut.clk)
            self.put(port_cmd_valid=0, underWay_mayStore=int(cycle <= swap))
            await FallingEdge(self.dut.clk)
            cleared |= self.get("clear")
            assert not self.get("invalidated_valid") and not self.counted()
            done += [cycle] if self.get("port_done") else []
            if self.get("port_cmd_ready"):
                await RisingEdge(self.dut.clk)
                (once,) = done
                return Outcome(cleared, concerned, events, once, cycle)
        raise AssertionError("the invalidation does not complete")


@bench_test(Bench)
async def every_cell_of_the_table(bench):
    """Six kinds, both halves, each granule, with and without lastLevelOnly, while each of four
    walks is under way; all entries at once."""
    pick = random.Random(run_seed())
    for code, (kind, cells) in enumerate(table().items()):
        by_column = dict(zip(COLUMNS, cells, strict=True))
        for upper, granule, last in product((False, True), GRANULES, (False, True)):
            held = entries(pick)
            for number, entry in held.items():
                await bench.install(number, entry)
            note = f"{kind}, upper {upper}, granule {granule}, last level {last}"
            named = bench.operand(kind, upper=upper, granule=granule)
            for walk in product((0, 1), (OURS, OTHER)):
                outcome = await bench.command(code, named, last=last, walk=walk)
                for number, entry in held.items():
                    cell = by_column[entry.column]
                    covered = entry.covered(cell, kind, upper=upper, granule=granule, last=last)
                    assert bool(outcome.cleared >> number & 1) == covered, f"{note}: {entry}"
                cell = by_column["our walk" if walk[1] == OURS else "other walk"]
                expected = {"yes": True, "-": False, "half": walk[0] == upper}[cell]
                assert outcome.concerned == expected, f"{note}: walk {walk}"
                assert outcome.events == [by_column["counted"]], note


@bench_test(Bench)
async def done_waits_for_a_swap_that_may_still_be_made(bench):
    """However long it takes; without one, every kind takes the same cycles: three to `done`, and
    those of a pass over all entries to the next command."""
    usual = [await bench.command(kind) for kind in range(len(table()))]
    ((cycles, swept),) = {(each.cycles, each.swept) for each in usual}
    assert cycles == 3 and swept == SWEPT
    for swap in (cycles, swept, swept + 50):
        slow = await bench.command(0, swap=swap)
        assert (slow.cycles, slow.swept) == (swap + 1, max(swept, swap + 2))


def test_the_source_describes_itself_so():
    assert all(len(cells) == len(COLUMNS) for cells in table().values())
    text = (ROOT / "rtl/src/granule/mmu/Invalidate.scala").read_text()
    head = re.search(r"\{\{\{(.*?)\}\}\}", text, re.DOTALL)[1]
    lines = [line.lstrip(" *").split() for line in head.splitlines()]
    assert [line for line in lines if line] == [line.split() for line in TABLE.strip().splitlines()]
