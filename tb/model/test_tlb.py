"""Residency model: hits, ASIDs, missing break-before-make."""

import pytest

from model import Access, Features, Memory, Registers, translate
from model.geometry import geometry
from model.tables import NG, Tables, ap
from model.tlb import MultiHit, Tlb
from model.tlbi import Invalidation, Kind, va_operand

VA, PA = 0x1234_5000, 0x8765_4000
TCR = 16 | 16 << 16 | 0b10 << 30 | 5 << 32 | 1 << 36


def machine(asid: int = 3):
    memory = Memory()
    tables = Tables(memory, geometry(12, 16), 0x4000_0000, 0x4000_1000)
    return memory, tables, Registers(TCR, 0x4000_0000 | asid << 48, mair=0xFF)


def test_fill_lookup_invalidate():
    memory, tables, registers = machine()
    tables.map(VA, PA)
    tlb = Tlb()
    tlb.fill(VA, translate(registers, Features(), memory, Access(VA)))
    assert tlb.lookup(VA + 0xFFF, 3).pa == PA
    assert tlb.lookup(VA + 0x1000, 3) is None
    assert tlb.lookup(VA, 4) is None
    tlb.invalidate(Invalidation(Kind.VA, va_operand(VA, 4)))
    assert tlb.lookup(VA, 3)
    tlb.invalidate(Invalidation(Kind.VA, va_operand(VA, 3)))
    assert tlb.lookup(VA, 3) is None


def test_size_change_without_break_before_make_is_a_multi_hit():
    memory, tables, registers = machine()
    tables.map(VA, PA)
    tlb = Tlb()
    tlb.fill(VA, translate(registers, Features(), memory, Access(VA)))
    memory.words[tables.slot(VA, 2)] = 0
    tables.map(VA, PA, level=2, bits=1 << 10 | NG | ap(1))
    tlb.fill(VA, translate(registers, Features(), memory, Access(VA)))
    with pytest.raises(MultiHit):
        tlb.lookup(VA, 3)


def test_builder_refuses_a_page_under_a_block():
    _, tables, _ = machine()
    tables.map(VA, PA, level=2)
    with pytest.raises(ValueError, match="has a block at level 2"):
        tables.map(VA, PA)
