"""The walk cache alone, of a configuration whose tables may skip levels: two tables of one level
with different spans overlap when software changed a table without break-before-make. One of them
answers, and nothing is mixed."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import settle, start

RUNS = [On("mmu:wide", part="WalkCache")]

PAGE = 12
# What an entry of a table covers in `wide`, in all of its formats.
SIZES = (20, 21, 22, 24, 25, 28, 29, 30, 34, 36, 39, 40, 42, 44, 47, 48, 52, 54)
SMALL, LARGE = 28, 36
LEVEL = 4
FORMAT = 1


async def look(dut, page: int, asid: int):
    """(pointer, skip) of the table that is found."""
    dut.io_tables_upcoming_valid.value = 1
    dut.io_tables_upcoming_payload.value = asid
    await FallingEdge(dut.clk)
    dut.io_tables_upcoming_valid.value = 0
    dut.io_tables_look.value = 1
    dut.io_tables_key_tag.value = page
    dut.io_tables_key_asid.value = asid
    dut.io_tables_key_tableFormat.value = FORMAT
    await FallingEdge(dut.clk)
    dut.io_tables_look.value = 0
    await settle()
    if not dut.io_tables_found_valid.value:
        return None
    return (
        int(dut.io_tables_pointer_page.value),
        int(dut.io_tables_found_payload_skipBits.value),
    )


async def remember(dut, asid: int, place: tuple[int, int], answer: tuple[int, int]) -> None:
    """A table for `place` (page, size), that is found as `answer` (pointer, skip)."""
    (page, size), (pointer, skip) = place, answer
    await look(dut, page, asid)
    dut.io_tables_install_valid.value = 1
    dut.io_tables_install_payload_span.value = sum(
        (size > s) << n for n, s in enumerate(SIZES[:-1])
    )
    dut.io_tables_install_payload_kind_level.value = 1 << LEVEL
    dut.io_tables_install_payload_kind_skipBits.value = skip
    dut.io_tables_install_payload_pointer_page.value = pointer
    await FallingEdge(dut.clk)
    dut.io_tables_install_valid.value = 0
    await FallingEdge(dut.clk)


@cocotb.test()
async def one_of_two_that_overlap_answers(dut):
    low = ("tables_upcoming_valid", "tables_look", "tables_install_valid", "swept", "clear")
    await start(dut, **{f"io_{name}": 0 for name in low})
    assert len(dut.io_tables_install_payload_span) == len(SIZES) - 1
    draw = random.Random(cocotb.RANDOM_SEED)
    for _ in range(200):
        asid = draw.randrange(1, 1 << 15)
        block = draw.getrandbits(12) << LARGE - PAGE
        inner = block | 3 << SMALL - PAGE
        outer = block | 9 << SMALL - PAGE
        tables = {
            (draw.getrandbits(24), 0): (inner, SMALL),
            (draw.getrandbits(24), 1): (outer, LARGE),
        }
        for _ in range(draw.randrange(4)):  # so that they are at any two places
            other = draw.getrandbits(24), 2
            await remember(dut, asid ^ 1 << 15, (block, SMALL), other)
        for answer, place in tables.items():
            await remember(dut, asid, place, answer)
        found = await look(dut, inner | draw.getrandbits(SMALL - PAGE), asid)
        assert found in tables, f"{found} is neither of {list(tables)}"
