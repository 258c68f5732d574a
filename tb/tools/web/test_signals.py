"""The signals that the page shows are in the generated Verilog, and are read as they are packed."""

import pytest

from model.descriptor import PLAIN
from support.run import ROOT
from tools.web import formats
from tools.web.run import MACHINES
from tools.web.signals import Machine

VERILOG = {"mmu": "mmu_vmsa48.v", "soc": "simsoc_teaching.v"}


@pytest.fixture(scope="module", params=VERILOG)
def machine(request) -> Machine:
    path = ROOT / "build" / "rtl" / VERILOG[request.param]
    return Machine(path.read_text(), *MACHINES[request.param])


def test_every_signal_is_there(machine) -> None:
    """Each name once; all entries of all TLBs among them."""
    names = [name for name, _, _ in machine.wanted()]
    assert len(set(names)) == len(names)
    assert {"data.valid_15", "fetch.valid_7", "tables.valid_7", "walker.state"} <= set(names)
    assert machine.configuration().count("public_flat_rd") <= len(names)


def test_memories_are_read_as_they_are_packed(machine) -> None:
    """Fields of a mapping fill its word: none overlaps another, and none is left out."""
    reading = machine.reading()
    for layout in (reading["mapping"], reading["pointer"]):
        ends = sorted((low, low + width) for low, width in layout.values())
        assert ends[0][0] == 0
        assert all(end == low for (_, end), (low, _) in zip(ends, ends[1:], strict=False))
    assert {"page", "level", "span", "permissions_el0Read"} <= set(reading["mapping"])
    assert reading["states"]["walker"][0] == "idle" and len(reading["states"]["walker"]) == 8


def test_sizes_of_entries_are_those_of_the_geometry(machine) -> None:
    formats.collect({"a machine": machine.reading()})
    less = machine.reading() | {"spanCodes": {"tlb": 7, "tables": 8, "tag": 37}}
    with pytest.raises(ValueError, match="have 8 sizes"):
        formats.collect({"a machine": less})


def test_a_signal_that_is_gone_is_named() -> None:
    path = ROOT / "build" / "rtl" / VERILOG["mmu"]
    text = path.read_text().replace("walk_descriptor;", "walk_descriptive;")
    with pytest.raises(ValueError, match="Walker has no walk_descriptor"):
        Machine(text, *MACHINES["mmu"]).wanted()


MODEL = {"AF": "af", "nG": "ng", "SH": "sh", "UXN": "uxn", "PXN": "pxn", "AttrIndx": "attr_index",
         "Contiguous": "contiguous", "DBM": "dbm"}  # fmt: skip


@pytest.mark.parametrize("name", MODEL)
def test_fields_of_a_leaf_are_those_of_the_golden_model(name) -> None:
    """A field of ones is all that the model sees of the descriptor."""
    low, width = formats.descriptor_fields()["leaf"][name]
    ones = (1 << width) - 1
    g = formats.geometry.geometry(12, formats.TNSZ)
    leaf = PLAIN.leaf(ones << low, 3, g)
    for shown, attribute in MODEL.items():
        assert int(getattr(leaf, attribute)) == (ones if shown == name else 0), shown


def test_fields_of_a_table_are_those_of_the_golden_model() -> None:
    fields = formats.descriptor_fields()["table"]
    g = formats.geometry.geometry(12, formats.TNSZ)
    seen = {name: PLAIN.table(1 << low, g) for name, (low, _) in fields.items()}
    assert seen["APTable[1]"].aptable == 2 and seen["APTable[0]"].aptable == 1
    assert seen["UXNTable"].uxntable and seen["PXNTable"].pxntable
