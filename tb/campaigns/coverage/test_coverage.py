"""`make coverage`: what is counted, what is a hole, and what cannot be reached for which reason."""

from collections import Counter
from dataclasses import replace

import pytest
from click.testing import CliRunner

from campaigns.coverage import run, store
from campaigns.coverage.bins import Bin
from campaigns.coverage.universe import Reach, crosses
from cases.shapes import SHAPES
from model import Features

EVERYTHING = Features(
    pamax=52, lva=True, lpa2=True, d128=True, lva3=True, sv32=True, use_contiguous=True
)


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Coverage of this test only, in two shapes; `results` does not go to the published ones."""
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    monkeypatch.setattr(run, "SHAPES", {name: SHAPES[name] for name in ("4k", "16k")})
    monkeypatch.setattr(run.results, "write", lambda *_, **__: None)
    features = run.CONFIGURATIONS["wide"].features
    reaches = [Reach(shape, features) for shape in run.SHAPES.values()]
    return Counter({b: 1 for r in reaches for b in crosses(r.shape) if not r.unreachable(b)})


def test_nothing_recorded_is_no_success(recorded):
    assert CliRunner().invoke(run.main, ["--config", "wide"]).exit_code == 2


HOLE = Bin("vmsa64", 14, 2, 3, "page", "permission", "w", 0)
NO_BIN = Bin("vmsa64", 12, 3, 2, "block", "ok", "r", 0)


@pytest.mark.parametrize("bin_, status, says", [
    (None, 0, "0 holes"),
    (None, 0, "unreachable: a walk does not go up"),
    (HOLE, 1, "hole: vmsa64 16K, start L2, ends L3, page, permission, access w, EL0"),
    (NO_BIN, 1, "hit although called unreachable: vmsa64 4K, start L3, ends L2"),
])  # fmt: skip
def test_a_hole_and_a_hit_of_the_unreachable_fail(recorded, bin_, status, says):
    if bin_:
        recorded[bin_] = 1 - recorded[bin_]
    store.add("wide", "first", [recorded])
    result = CliRunner().invoke(run.main, ["--config", "wide"])
    assert result.exit_code == status and says in result.output, result.output


def test_runs_add_up(recorded):
    store.add("wide", "first", [recorded])
    store.add("wide", "second", [recorded])
    total, runs = store.load("wide")
    assert set(total.values()) == {2} and runs == ["first", "second"]


@pytest.mark.parametrize(
    "shape, starts",
    [("4k", {-1, 0, 1, 2, 3}), ("16k", {0, 1, 2, 3}), ("64k", {1, 2, 3}),
     ("4k-d128", {-2, -1, 0, 1, 2, 3}), ("sv32", {2}), ("sv39", {1}), ("sv48", {0})],
)  # fmt: skip
def test_start_levels(shape, starts):
    """Spec 3.2 and 10.2, with everything implemented."""
    assert set(Reach(SHAPES[shape], EVERYTHING).sizes) == starts


def test_what_a_feature_adds_is_reachable_with_it_only():
    update = Bin("vmsa64", 12, 1, 3, "page", "unsupported update", "w", 0)
    group = Bin("vmsa64", 12, 1, 2, "contiguous", "ok", "r", 1)
    block = Bin("vmsa64", 12, 0, 0, "block", "ok", "r", 1)
    for b, without in ((update, {"hafdbs": 0}), (group, {"use_contiguous": False}),
                       (block, {"lpa2": False})):  # fmt: skip
        assert Reach(SHAPES["4k"], EVERYTHING).unreachable(b) is None
        assert Reach(SHAPES["4k"], replace(EVERYTHING, **without)).unreachable(b)


def test_a_group_must_fit_into_the_address_range():
    """128 pages of 16K are 2 MB: with start level 3 the range has 25 bits at most, 1 GB of 32
    blocks needs start level 2 or less."""
    reach = Reach(SHAPES["16k"], EVERYTHING)
    assert not reach.unreachable(Bin("vmsa64", 14, 3, 3, "contiguous", "ok", "r", 0))
    assert not reach.unreachable(Bin("vmsa64", 14, 2, 2, "contiguous", "ok", "r", 0))
