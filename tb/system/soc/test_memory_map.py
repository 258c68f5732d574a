"""The files that are derived from the memory map agree with each other and with the docs."""

import json
import re

import pytest

from support.run import ROOT, built


@pytest.fixture(scope="module")
def include():
    return built("build/include/.ready").parent


def test_header_linker_fragment_and_json_name_the_same_addresses(include):
    regions = {
        r["name"]: r for r in json.loads((include / "granule_map.json").read_text())["regions"]
    }
    header = (include / "granule_map.h").read_text()
    linker = (include / "granule_map.ld").read_text()
    for name, region in regions.items():
        for field in ("base", "size"):
            macro = rf"#define GRANULE_{name.upper()}_{field.upper()} +(0x[0-9a-f]+)"
            assert int(re.search(macro, header).group(1), 16) == region[field]
        symbol = re.search(rf"GRANULE_{name.upper()}_BASE = (0x[0-9a-f]+);", linker)
        reachable = region["base"] + region["size"] <= 1 << 32
        assert (symbol is not None) == reachable
        assert not symbol or int(symbol.group(1), 16) == region["base"]


def test_every_event_has_its_number(include):
    events = json.loads((include / "granule_map.json").read_text())["events"]
    header = (include / "granule_events.h").read_text()
    for number, name in enumerate(events):
        assert re.search(rf"#define GRANULE_EVENT_{name.upper()} +{number}\n", header)
        assert f"X({name}, {number}, " in header
    assert f"#define GRANULE_EVENT_COUNT {len(events)}\n" in header


def test_the_picture_in_the_docs_is_the_generated_one(include):
    """After a change of the map: cp build/include/granule_map.svg docs/memory-map.svg."""
    picture = (ROOT / "docs" / "memory-map.svg").read_text()
    assert picture == (include / "granule_map.svg").read_text()


def test_generated_files_carry_no_date(include):
    for path in include.glob("granule_*"):
        assert not re.search(r"20\d\d[-./]\d\d[-./]\d\d", path.read_text()), path
