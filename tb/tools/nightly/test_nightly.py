"""A night: what counts as done, and the page."""

import re

import pytest

from support.root import ROOT
from tools.nightly import run
from tools.nightly.run import STEPS, amount, done, page, seed_of


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "OUT", tmp_path)
    return tmp_path


def test_every_step_is_a_target():
    made = " ".join(path.read_text() for path in (ROOT / "Makefile", *ROOT.glob("**/*.mk")))
    names = {step.get("target", name) for name, step in STEPS.items()}
    assert {name for name in names if not re.search(rf"^{name}:", made, re.M)} == set()


def test_what_was_done_is_counted():
    assert amount("a  1,200 of 1,200 agree\nb  30 of 40 agree", STEPS["conformance"]["did"]) == 1240
    assert amount("no tests ran", STEPS["test-web"]["did"]) == 0
    assert amount("7 passed in 3 s", STEPS["test-web"]["did"]) == 7


def test_what_found_nothing_to_do_says_so(out):
    step = {"target": "help"} | run.PYTEST
    ended = done("idle", step, 7)
    assert ended.verdict == "nothing to do" and "make TARGET" in (out / "idle.log").read_text()
    assert done("absent", step | {"target": "no-such-target"}, 7).verdict == "status 2"
    assert "Not good: idle." in page([ended], 7) and "began at 7" in page([ended], 7)


def test_a_night_does_a_slice_that_follows_from_its_seed(out):
    done("some", {"target": "help", "slices": 8} | run.PYTEST, 10)
    said = (out / "some.log").read_text()
    assert re.search(r"SLICE .*\[3/8\]$", said, re.M) and re.search(r" SEED .*\[10\]$", said, re.M)
    assert seed_of("00000ff123-dirty") == 255
