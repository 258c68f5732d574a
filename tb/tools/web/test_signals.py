"""The signals that the page shows are in the generated Verilog, and are read as they are packed."""

import re

import pytest

from model.descriptor import PLAIN
from model.tlbi import range_operand, va_operand
from support.run import ROOT
from tools.web import formats
from tools.web.run import MACHINES
from tools.web.signals import Machine

MMU, MAIN, SOC, ULX3S = (
    *("mmu:mmu_vmsa48.v", "mmu:mmu_vmsa48_main.v"),
    *("soc:simsoc_teaching.v", "soc:simsoc_ulx3s.v"),
)
G = formats.geometry.geometry(12, formats.TNSZ)


def machine_of(name: str, *changed: str) -> Machine:
    """Of a kind and a file. `changed`: what is replaced in that, and by what."""
    kind, _, file = name.partition(":")
    text = (ROOT / "build" / "rtl" / file).read_text()
    return Machine(text.replace(*changed) if changed else text, *MACHINES[kind])


@pytest.fixture(scope="module", params=[MMU, SOC])
def machine(request) -> Machine:
    return machine_of(request.param)


def names(machine: Machine) -> set[str]:
    """Each is there once."""
    found = [name for name, _, _ in machine.wanted()]
    assert len(set(found)) == len(found)
    return set(found)


def fills(layout: dict[str, tuple[int, int]]) -> int:
    """The width of a word that its fields fill: none overlaps another, and none is left out."""
    end = 0
    for low, width in sorted(layout.values()):
        assert low == end
        end += width
    return end


def test_every_signal_is_there(machine) -> None:
    """All entries of all TLBs among them."""
    found = names(machine)
    assert {"data.valid_15", "fetch.valid_7", "tables.valid_7", "walker.state"} <= found
    assert machine.configuration().count("public_flat_rd") <= len(found)


def test_memories_are_read_as_they_are_packed(machine) -> None:
    reading = machine.reading()
    assert fills(reading["mapping"]) and fills(reading["pointer"])
    assert {"page", "level", "span", "permissions_el0Read"} <= set(reading["mapping"])
    assert reading["states"]["walker"][0] == "idle" and len(reading["states"]["walker"]) == 7


# Ways, bits of the set and of the colour: soc/GranuleConfig.scala.
@pytest.mark.parametrize(("name", "ways", "sets", "colours"), [(SOC, 8, 6, 0), (ULX3S, 2, 8, 2)])
def test_the_data_cache_is_read_from_its_memories(name, ways, sets, colours) -> None:
    machine = machine_of(name)
    cache = machine.reading()["cache"]
    assert (cache["ways"], cache["setBits"], cache["colourBits"]) == (ways, sets, colours)
    assert cache["tag"]["valid"] == (0, 1) and cache["offsetBits"] == 6
    assert set(cache["states"].values()) >= {"idle", "scan", "leave", "drop", "fill", "done"}
    assert list(cache["operations"].values()) == ["fill", "line", "sweep"]
    found = names(machine)
    assert {f"engine.dirty_{ways - 1}", f"arrays.tag_{ways - 1}"} <= found
    assert f"arrays.tag_{ways}" not in found


def test_a_main_tlb_is_read_as_it_is_packed() -> None:
    """An MMU without one says nothing of it."""
    main = machine_of(MAIN).reading()["main"]
    assert (main["ways"], fills(main["key"]), fills(main["mapped"])) == (3, 71, 64)
    assert "main" not in machine_of(MMU).reading()


def test_what_a_sweep_may_take_and_what_waits_for_it_is_shown() -> None:
    shown = {"data.suspect_15", "fetch.suspect_7", "tables.cleared", "data.io_waits"}
    for name in (MMU, MAIN, SOC, ULX3S):
        assert names(machine_of(name)) >= shown


def test_what_the_page_reads_is_a_signal_of_a_machine() -> None:
    text = "".join(path.read_text() for path in (ROOT / "docs" / "web").glob("*.js"))
    read = set(re.findall(r'\.(?:is|word|number|length)\("(\w+\.\w+)"', text))
    assert "walker.walk_first" in read
    assert read <= set.union(*(names(machine_of(name)) for name in (MMU, MAIN, SOC, ULX3S)))


def test_sizes_of_entries_are_those_of_the_geometry(machine) -> None:
    formats.collect({"a machine": machine.reading()})
    less = machine.reading() | {"spanCodes": {"tlb": 7, "tables": 8, "tag": 37}}
    with pytest.raises(ValueError, match="have 8 sizes"):
        formats.collect({"a machine": less})


@pytest.mark.parametrize(
    ("unit", "gone"), [("Walker", "walk_descriptor"), ("L1Data", "cpu_misses")]
)
def test_a_signal_that_is_gone_is_named(unit, gone) -> None:
    with pytest.raises(ValueError, match=f"{unit} has no {gone}"):
        machine_of(SOC, f" {gone};", f" {gone}_else;").wanted()


MODEL = {"AF": "af", "nG": "ng", "SH": "sh", "UXN": "uxn", "PXN": "pxn", "AttrIndx": "attr_index",
         "Contiguous": "contiguous", "DBM": "dbm"}  # fmt: skip


def test_fields_are_those_of_the_golden_model() -> None:
    """A field of ones is all that the model sees of a descriptor, or makes in an operand."""
    for name in MODEL:
        low, width = formats.LEAF[name]
        ones = (1 << width) - 1
        leaf = PLAIN.leaf(ones << low, 3, G)
        for shown, attribute in MODEL.items():
            assert int(getattr(leaf, attribute)) == (ones if shown == name else 0), shown
    for bits, (low, _) in enumerate((formats.LEAF["AP[1]"], formats.LEAF["AP[2]"])):
        assert PLAIN.leaf(1 << low, 3, G).ap == 1 << bits
    seen = {name: PLAIN.table(1 << low, G) for name, (low, _) in formats.TABLE.items()}
    assert seen["APTable[1]"].aptable == 2 and seen["APTable[0]"].aptable == 1
    assert seen["UXNTable"].uxntable and seen["PXNTable"].pxntable
    at = {name: place(formats.TLBI[name]) for name in formats.TLBI}
    high = -1 << 12  # all bits of the base
    assert range_operand(high, 12, 31, 3) == (at["base"] | at["num"] | at["scale"] | 1 << 46)
    assert va_operand(high, 0xFFFF) == at["va"] | place(formats.ASID)


def place(bits: formats.Bits) -> int:
    """Ones in it."""
    low, width = bits
    return (1 << width) - 1 << low
