"""The files that are derived from the memory map agree with each other and with the docs, and so do
the device trees that Linux gets."""

import json
import re

import pytest

from support.configurations import CONFIGURATIONS
from support.run import ROOT, built


@pytest.fixture(scope="module")
def include():
    return built("build/include/.ready").parent


@pytest.fixture(scope="module")
def header(include) -> str:
    return (include / "granule_map.h").read_text()


@pytest.fixture(scope="module")
def regions(include) -> dict[str, dict]:
    found = json.loads((include / "granule_map.json").read_text())["regions"]
    return {region["name"]: region for region in found}


def test_header_linker_fragment_and_json_name_the_same_addresses(include, regions, header):
    linker = (include / "granule_map.ld").read_text()
    for name, region in regions.items():
        for field in ("base", "size"):
            macro = rf"#define GRANULE_{name.upper()}_{field.upper()} +(0x[0-9a-f]+)"
            assert int(re.search(macro, header).group(1), 16) == region[field]
        symbol = re.search(rf"GRANULE_{name.upper()}_BASE = (0x[0-9a-f]+);", linker)
        reachable = region["base"] + region["size"] <= 1 << 32
        assert (symbol is not None) == reachable
        assert not symbol or int(symbol.group(1), 16) == region["base"]


def test_the_picture_in_the_docs_is_the_generated_one(include):
    """After a change of the map: cp build/include/granule_map.svg docs/memory-map.svg."""
    picture = (ROOT / "docs" / "memory-map.svg").read_text()
    assert picture == (include / "granule_map.svg").read_text()


# ---- device trees --------------------------------------------------------------------------------


def parse(text: str) -> dict:
    """Nodes as dictionaries of properties, which stay text, and of nodes."""
    root: dict = {}
    path = [root]
    for line in map(str.strip, text.splitlines()):
        if found := re.fullmatch(r"(?:\w+: )?(\S+) {", line):
            path.append(path[-1].setdefault(found[1], {}))
        elif line == "};":
            path.pop()
        elif found := re.fullmatch(r"(\S+?)(?: = (.*))?;", line):
            path[-1][found[1]] = found[2]
    assert path == [root]
    return root.get("/", {})


def cells(text: str) -> list[int]:
    return [int(cell, 0) for cell in text.strip("<>").split()]


def numbers(text: str) -> tuple[int, int]:
    """Base and size of a `reg` with cells of 64 bits."""
    a, b, c, d = cells(text)
    return a << 32 | b, c << 32 | d


@pytest.fixture(scope="module")
def trees(include) -> dict[str, dict]:
    return {p.stem.removeprefix("granule_"): parse(p.read_text()) for p in include.glob("*.dts")}


def test_every_machine_with_sv32_has_one(trees):
    has = {name: c.features.sv32 for name, c in CONFIGURATIONS.items()}
    assert {name for name in has if name in trees} == {name for name in has if has[name]}
    for name, tree in trees.items():
        assert tree["granule,configuration"] == f'"{name}"'


def test_the_level_2_cache_is_behind_both_others(trees):
    cpus = trees["ulx3s_l2"]["cpus"]
    assert cpus["cpu@0"]["next-level-cache"] == "<&l2>"
    assert "next-level-cache" not in str(trees["ulx3s"])
    l2 = cpus["l2-cache"]
    assert (l2["compatible"], l2["cache-level"]) == ('"cache"', "<2>")
    sizes = [l2[f"cache-{name}"] for name in ("size", "sets", "block-size")]
    assert sizes == ["<262144>", "<512>", "<64>"]


def test_peripherals_are_those_of_the_memory_map(trees, regions):
    devices = [region for region in regions.values() if not region["memory"]]
    wanted = {f"{r['name']}@{r['base']:x}": (r["base"], r["size"]) for r in devices}
    of_dma = {node for node in wanted if node.split("@")[0] in ("dma", "bridge")}
    assert len(wanted) >= 7 and len(of_dma) == 2
    for machine, tree in trees.items():
        here = wanted.keys() - (set() if machine == "teaching_dma" else of_dma)
        nodes = {n: d for n, d in tree["soc"].items() if isinstance(d, dict) and "@" in n}
        assert {name: numbers(node["reg"]) for name, node in nodes.items()} == {
            name: wanted[name] for name in here
        }
        assert all(node["compatible"] for node in nodes.values())
