"""The litmus shapes: the model gives the verdict that the table says, and the RTL shows no end that
the model does not have. The random runs begin at SEED of the environment, else at 1: how many ends
they reach depends on it. `make litmus` draws a seed."""

import os

import pytest

from campaigns.litmus.model import ends_of, verdict
from campaigns.litmus.play import QUICK, Result, play
from campaigns.litmus.script import VALUES, end_of, word
from campaigns.litmus.shapes import SHAPES
from campaigns.soak.build import harness

SEED = int(os.environ.get("SEED") or 1)


@pytest.mark.parametrize("name", SHAPES)
def test_model(name):
    """And it is no weaker than the literature: what is forbidden there is so here."""
    shape = SHAPES[name]
    assert verdict(shape, ends_of(name)) == shape.ours
    published = shape.published.split(" ")[0]
    if published in ("forbidden", "not"):
        assert shape.ours == "forbidden"
    if published == "required":
        assert shape.ours == "required"


# Forbidden shapes whose ends no allowed one has.
ALONE = {
    "BBM.table+dsb-tlbiis-dsb (ours)", "RBS.write+dsb-tlbiis-dsb (ours)", "ROT.inv+dsb",
    "STR-TLBI", "STRx+2SWPptex+db", "STRx+STCLRptex+db", "STRx+STRptex+oa.af (ours)",
    "STRx+SWPptex+db", "STRx+SWPptex-lost (ours)", "STRx-LDRptex", "STRx-LDRptex4", "coRR-pte7",
    "coRR-pte8-dsb",
}  # fmt: skip


def test_forbidden_shapes_have_a_twin_that_is_allowed():
    """The same ends with less between: so nothing is forbidden because nothing happens in it."""
    allowed = [s.ends for s in SHAPES.values() if s.ours == "allowed"]
    forbidden = {s.name for s in SHAPES.values() if s.ours == "forbidden" and s.ends not in allowed}
    assert forbidden == ALONE


def test_rtl():
    player = harness("teaching")
    reached = 0
    for shape in SHAPES.values():
        result = play(player, shape, QUICK, SEED)
        assert not result.failures(), (SEED, result.failures())
        reached += len(result.runs)
        if shape.ours == "allowed" and shape.name not in NEVER:
            assert result.reached, f"{shape.name}: what it asks for was not seen, seed {SEED}"
    assert reached > 95  # of 109 that the model has


# The hardware forgets an old entry when it installs a new one of the same page.
NEVER = {"coRR-pte4", "coRR-pte9-nobbm"}


def test_values_are_told_apart():
    values = set(VALUES.values())
    assert len({word(v) for v in values}) == len(values)


def test_an_end_outside_is_named():
    shape = SHAPES["RBS+dsb-tlbiis-dsb"]
    cells = " ".join(f"{word(v):x}" for v in shape.memory.values())
    end = end_of(shape, f"2 / {cells}")
    result = Result(shape, first={end: "lead 3"})
    result.runs[end] += 1
    assert result.failures() == [
        "RBS+dsb-tlbiis-dsb: not in the model: r0=2; first with lead 3"
    ] and result.reached  # fmt: skip
