"""A few hundred of the random commands of `make invalidation`, on the MMU with a main TLB."""

import random
from dataclasses import replace

import pytest

from campaigns.invalidation.commands import FEATURES, RUN, WEIGHTS, command, expect, run, runs
from campaigns.invalidation.world import HOME, PAGE, Pages
from campaigns.soak.build import harness
from campaigns.soak.player import Answer
from model.tlbi import Entry, must_go
from support.seed import run_seed

MAIN_ENTRIES = 256  # of vmsa48_main


def test_nothing_is_lost_and_nothing_stays():
    tally = run(harness("vmsa48_main"), MAIN_ENTRIES, 300, run_seed())
    assert (tally["lost"], tally["commands"]) == (0, 300)
    assert tally["looked"] > 100, "too few lookups of entries that are there"
    assert tally["taken"] > 100, "the commands took too little"


def test_a_command_says_what_it_covers():
    rng, kinds = random.Random(run_seed()), set()
    pages = [(asid, n) for asid in HOME for n in range(64)]
    entries = {page: Entry(HOME[page[0]] + page[1] * PAGE, 12, 12, 3, page[0]) for page in pages}
    for _ in range(2000):
        op, covered = command(rng, 64)
        assert covered == [page for page in pages if must_go(op, entries[page])], op
        kinds.add(op.kind)
    assert kinds == set(WEIGHTS)


def test_runs_add_up():
    assert list(runs(2 * RUN + 5, 7)) == [(RUN, 7), (RUN, 8), (5, 9)]


def test_an_answer_is_judged_by_all_that_it_has():
    pages = Pages(16)
    want = {n: pages.translation(FEATURES, 1, n) for n in range(2)}
    right = Answer(False, 0, False, False, want[0].pa, want[0].attr, 3, (), ())
    expect(right, want[0], (1, 0))
    wrong = {"fault": True, "pa": want[1].pa, "attr": want[1].attr, "writes": ((0, 0),)}
    for name, value in wrong.items():
        with pytest.raises(AssertionError, match="page"):
            expect(replace(right, **{name: value}), want[0], (1, 0))
