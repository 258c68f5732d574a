"""The signals that the page shows are in the generated Verilog, and are read as they are packed."""

import re

import pytest

from model.descriptor import PLAIN
from support.run import ROOT
from tools.web import formats
from tools.web.run import MACHINES
from tools.web.signals import Machine

VERILOG = {"mmu": "mmu_vmsa48.v", "soc": "simsoc_teaching.v"}
CACHES = {  # ways, bits of the set and of the colour (config/GranuleConfig.scala)
    "simsoc_teaching.v": (8, 6, 0),
    "simsoc_ulx3s.v": (2, 8, 2),
}


def machine_of(kind: str, file: str) -> Machine:
    return Machine((ROOT / "build" / "rtl" / file).read_text(), *MACHINES[kind])


@pytest.fixture(scope="module", params=VERILOG)
def machine(request) -> Machine:
    return machine_of(request.param, VERILOG[request.param])


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


@pytest.mark.parametrize("file", CACHES)
def test_the_data_cache_is_read_from_its_memories(file) -> None:
    machine = machine_of("soc", file)
    ways, sets, colours = CACHES[file]
    cache = machine.reading()["cache"]
    assert (cache["ways"], cache["setBits"], cache["colourBits"]) == (ways, sets, colours)
    assert cache["tag"]["valid"] == (0, 1) and cache["offsetBits"] == 6
    assert set(cache["states"].values()) >= {"idle", "scan", "drop", "writeData", "fill", "done"}
    assert list(cache["operations"].values()) == ["fill", "line", "sweep"]
    names = {name for name, _, _ in machine.wanted()}
    assert {f"engine.dirty_{ways - 1}", f"arrays.tag_{ways - 1}"} <= names
    assert f"arrays.tag_{ways}" not in names


def test_counters_have_the_numbers_that_software_knows() -> None:
    """As the firmware's header numbers the events."""
    counters = machine_of("soc", VERILOG["soc"]).reading()["counters"]
    text = (ROOT / "build" / "include" / "granule_events.h").read_text()
    line = r'X\((\w+), (\d+), "([^"]*)"\)'
    events, stalls = (
        {int(n): (name, says) for name, n, says in re.findall(line, part)}
        for part in text.split("define GRANULE_EVENTS(X)")[1].split("define GRANULE_STALLS(X)")
    )
    assert len(events) == 29 and len(stalls) == 11
    for counter, (n, event) in zip(counters[2:], events.items(), strict=True):
        assert (counter["event"], counter["signal"]) == (n, f"counters.counter_{3 + n}")
        assert (counter["name"], counter["says"]) == event
        assert counter["second"] == stalls.get(n)
    assert [c["name"] for c in counters[:2]] == ["cycle", "instret"]


def test_a_main_tlb_is_read_as_it_is_packed() -> None:
    """Fields fill its words; an MMU without one says nothing of it."""
    main = machine_of("mmu", "mmu_vmsa48_main.v").reading()["main"]
    assert main["ways"] == 3
    for layout, width in ((main["key"], 71), (main["mapped"], 64)):
        ends = sorted((low, low + width) for low, width in layout.values())
        assert ends[0][0] == 0 and ends[-1][1] == width
        assert all(end == low for (_, end), (low, _) in zip(ends, ends[1:], strict=False))
    assert "main" not in machine_of("mmu", VERILOG["mmu"]).reading()


def test_an_early_completion_shows_what_goes_and_what_waits() -> None:
    """Of the systems; elsewhere the sweep says all."""
    for kind, file, early in (
        ("mmu", "mmu_vmsa48.v", False),
        ("mmu", "mmu_vmsa48_main.v", True),
        ("soc", "simsoc_teaching.v", True),
        ("soc", "simsoc_ulx3s.v", True),
    ):
        machine = machine_of(kind, file)
        names = {name for name, _, _ in machine.wanted()}
        shown = {"data.suspect_15", "fetch.suspect_7", "tables.cleared", "data.io_waits"}
        assert (machine.reading()["early"], names & shown) == (early, shown if early else set())


def test_sizes_of_entries_are_those_of_the_geometry(machine) -> None:
    formats.collect({"a machine": machine.reading()})
    less = machine.reading() | {"spanCodes": {"tlb": 7, "tables": 8, "tag": 37}}
    with pytest.raises(ValueError, match="have 8 sizes"):
        formats.collect({"a machine": less})


def test_a_signal_that_is_gone_is_named() -> None:
    path = ROOT / "build" / "rtl" / VERILOG["soc"]
    for unit, gone in (("Walker", "walk_descriptor"), ("L1Data", "cpu_misses")):
        text = path.read_text().replace(f" {gone};", f" {gone}_else;")
        with pytest.raises(ValueError, match=f"{unit} has no {gone}"):
            Machine(text, *MACHINES["soc"]).wanted()


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
