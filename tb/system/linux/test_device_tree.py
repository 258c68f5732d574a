"""The device trees that Linux gets, against the memory map and the configurations."""

import json
import re

import pytest

from support.configurations import CONFIGURATIONS
from support.run import ROOT, built

INCLUDE = ROOT / "build" / "include"


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
def trees() -> dict[str, dict]:
    built("build/include/.ready")
    return {p.stem.removeprefix("granule_"): parse(p.read_text()) for p in INCLUDE.glob("*.dts")}


@pytest.fixture(scope="module")
def regions() -> list[dict]:
    built("build/include/.ready")
    return json.loads((INCLUDE / "granule_map.json").read_text())["regions"]


def test_every_machine_with_sv32_has_one(trees):
    has = {name: c.features.sv32 for name, c in CONFIGURATIONS.items()}
    assert {name for name in has if name in trees} == {name for name in has if has[name]}
    for name, tree in trees.items():
        assert tree["granule,configuration"] == f'"{name}"'


def test_peripherals_are_those_of_the_memory_map(trees, regions):
    wanted = {
        f"{r['name']}@{r['base']:x}": (r["base"], r["size"]) for r in regions if not r["memory"]
    }
    of_dma = {node for node in wanted if node.split("@")[0] in ("dma", "bridge")}
    assert len(wanted) >= 7 and len(of_dma) == 2
    for machine, tree in trees.items():
        here = wanted.keys() - (set() if machine == "teaching_dma" else of_dma)
        nodes = {n: d for n, d in tree["soc"].items() if isinstance(d, dict) and "@" in n}
        assert {name: numbers(node["reg"]) for name, node in nodes.items()} == {
            name: wanted[name] for name in here
        }
        assert all(node["compatible"] for node in nodes.values())


def test_memory_starts_where_lowmem_does(trees, regions):
    lowmem = next(r for r in regions if r["name"] == "lowmem")
    for tree in trees.values():
        for node in (tree["memory@80000000"], tree["reserved-memory"]["firmware@80000000"]):
            assert numbers(node["reg"]) == (lowmem["base"], 0)  # the firmware fills the size in


@pytest.mark.parametrize(("name", "dcache"), [("teaching", (32, 64)), ("ulx3s", (32, 256))])
def test_caches(trees, name, dcache):
    cpu = trees[name]["cpus"]["cpu@0"]
    size, sets = dcache
    assert cells(cpu["d-cache-size"]) == [size * 1024] and cells(cpu["d-cache-sets"]) == [sets]
    assert cpu["mmu-type"] == '"riscv,sv32"'


def test_interrupts_reach_both_modes_of_the_hart(trees):
    """The PLIC's contexts are M-mode (11) and S-mode (9), in this order; the UART has its line."""
    header = (INCLUDE / "granule_map.h").read_text()
    number = int(re.search(r"GRANULE_UART_IRQ +(\d+)", header)[1])
    for tree in trees.values():
        plic, uart = tree["soc"]["plic@c000000"], tree["soc"]["uart@10000000"]
        assert plic["interrupts-extended"] == "<&hart 11>, <&hart 9>"
        assert number <= cells(plic["riscv,ndev"])[0]
        assert uart["interrupt-parent"] == "<&plic>" and cells(uart["interrupts"]) == [number]
        # Linux's driver of the port takes its number from the alias.
        assert tree["aliases"]["serial0"] == tree["chosen"]["stdout-path"] == "&uart"
        assert tree["clock"]["clock-frequency"] == tree["cpus"]["timebase-frequency"]


def test_the_finisher_is_told_what_the_header_says(trees):
    header = (INCLUDE / "granule_map.h").read_text()
    for tree in trees.values():
        for node, command in (("poweroff", "PASS"), ("reboot", "RESET")):
            value = int(re.search(rf"GRANULE_FINISHER_{command} +(0x\w+)", header)[1], 16)
            assert cells(tree[node]["value"]) == [value]
            assert tree[node]["regmap"] == "<&finisher>"
