"""The tables of make tlb-modes: what they derive from the recorded figures follows."""

import pytest

from tools.dma.modes import (
    LOADS,
    MEASURED,
    MODES,
    PAGES,
    SIZES,
    cost_table,
    held_text,
    left_table,
    verdict,
)

FIGURES = MEASURED.recorded()["figures"]
COSTS = [row for row in FIGURES if "load" in row]
LEFT = [row for row in FIGURES if "left" in row]


def test_every_page_size_load_and_mode_is_there():
    found = {(row["size"], row["load"], row["mode"]) for row in COSTS}
    assert found == {(s, load, m) for s in SIZES for load in LOADS for m in MODES}
    assert {(row["size"], row["left"]) for row in LEFT} == {(s, m) for s in SIZES for m in MODES}


def test_only_none_leaves_something_to_the_cpu_and_local_to_the_engine():
    for row in LEFT:
        assert (row["cpu"] > 0) == (row["left"] == "none"), row
        assert (row["device"] > 0) == (row["left"] in ("none", "local")), row


@pytest.mark.parametrize(
    ("cpu", "device", "said"),
    [
        (0, 0, "safe"),
        (0, 4, "safe where no device uses the address space"),
        (4, 0, "unsafe"),
        (1, 4, "unsafe"),
    ],
)
def test_a_verdict_is_what_is_left(cpu, device, said):
    assert verdict(cpu, device) == said
    rows = [{"size": "4k", "left": mode, "cpu": 0, "device": 0} for mode in MODES]
    rows[0] |= {"cpu": cpu, "device": device}
    assert left_table(rows).splitlines()[2] == f"| each | {cpu} | {device} | {said} |"


def cost(mode: str, send: float, wait: float, held: float = 0) -> dict:
    parts = {"send": send, "wait": wait, "held": held}
    return {"mode": mode} | {f"{p}.{n}": v * n for n in PAGES for p, v in parts.items()}


def test_a_cell_has_all_cycles_and_the_wait_beside():
    lines = cost_table([cost("broadcast", 30.0, 5.0), cost("none", 10.0, 0.0)]).splitlines()
    assert (
        lines[2]
        == "| broadcast | 35 (5) | 140 (20) | 560 (80) | 2,240 (320) | 17,920 (2,560) | 25.0 |"
    )
    assert lines[3].startswith("| none | 10 | 40 |") and lines[3].endswith("| 5,120 |  |")


def test_a_full_queue_is_told():
    assert held_text([cost("local", 1, 1)]).startswith("With 512 pages no TLBI waits")
    assert "512 in ipi" in held_text([cost("local", 1, 1), cost("ipi", 1, 1, held=1.0)])
