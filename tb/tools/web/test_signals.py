"""The signals that the page shows are in the generated Verilog, and are read as they are packed."""

import re

import pytest

from model.descriptor import PLAIN
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
    assert reading["states"]["walker"][0] == "idle" and len(reading["states"]["walker"]) == 8


# Ways, bits of the set and of the colour: config/GranuleConfig.scala.
@pytest.mark.parametrize(("name", "ways", "sets", "colours"), [(SOC, 8, 6, 0), (ULX3S, 2, 8, 2)])
def test_the_data_cache_is_read_from_its_memories(name, ways, sets, colours) -> None:
    machine = machine_of(name)
    cache = machine.reading()["cache"]
    assert (cache["ways"], cache["setBits"], cache["colourBits"]) == (ways, sets, colours)
    assert cache["tag"]["valid"] == (0, 1) and cache["offsetBits"] == 6
    assert set(cache["states"].values()) >= {"idle", "scan", "drop", "writeData", "fill", "done"}
    assert list(cache["operations"].values()) == ["fill", "line", "sweep"]
    found = names(machine)
    assert {f"engine.dirty_{ways - 1}", f"arrays.tag_{ways - 1}"} <= found
    assert f"arrays.tag_{ways}" not in found


def test_counters_have_the_numbers_that_software_knows() -> None:
    """As the firmware's header numbers the events."""
    counters = machine_of(SOC).reading()["counters"]
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
    """An MMU without one says nothing of it."""
    main = machine_of(MAIN).reading()["main"]
    assert (main["ways"], fills(main["key"]), fills(main["mapped"])) == (3, 71, 64)
    assert "main" not in machine_of(MMU).reading()


def test_an_early_completion_shows_what_goes_and_what_waits() -> None:
    """Of the systems; elsewhere the sweep says all."""
    shown = {"data.suspect_15", "fetch.suspect_7", "tables.cleared", "data.io_waits"}
    for name in (MMU, MAIN, SOC, ULX3S):
        machine, early = machine_of(name), name != MMU
        assert machine.reading()["early"] == early
        assert names(machine) & shown == (shown if early else set())


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


@pytest.mark.parametrize("name", MODEL)
def test_fields_of_a_leaf_are_those_of_the_golden_model(name) -> None:
    """A field of ones is all that the model sees of the descriptor."""
    low, width = formats.descriptor_fields()["leaf"][name]
    ones = (1 << width) - 1
    leaf = PLAIN.leaf(ones << low, 3, G)
    for shown, attribute in MODEL.items():
        assert int(getattr(leaf, attribute)) == (ones if shown == name else 0), shown


def test_fields_of_a_table_are_those_of_the_golden_model() -> None:
    fields = formats.descriptor_fields()["table"]
    seen = {name: PLAIN.table(1 << low, G) for name, (low, _) in fields.items()}
    assert seen["APTable[1]"].aptable == 2 and seen["APTable[0]"].aptable == 1
    assert seen["UXNTable"].uxntable and seen["PXNTable"].pxntable
