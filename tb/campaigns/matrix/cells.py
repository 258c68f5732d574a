"""The matrix of scenarios: event x time x entry. Names come from rtl/bench/Scenarios.scala; which
cells cannot exist is said here, each with its reason."""

import json
import re
from functools import cache
from typing import NamedTuple

from support.root import ROOT

NAMES = ROOT / "build" / "include" / "granule_matrix.json"
_PRINTED = re.compile(r"^NOTE matrix: ([0-9a-f]+) ([0-9a-f]+) (\w+)$", re.M)


class Cell(NamedTuple):
    event: str
    time: str
    entry: str


@cache
def sides() -> dict[str, dict[str, str]]:
    """events, times, entries: name -> what it is, in order."""
    return json.loads(NAMES.read_text())


def every() -> list[Cell]:
    s = sides()
    return [Cell(e, t, n) for e in s["events"] for t in s["times"] for n in s["entries"]]


def printed(output: str) -> set[Cell]:
    """What the monitor in the RTL has said."""
    events, times = list(sides()["events"]), list(sides()["times"])
    return {
        Cell(events[int(e, 16)], times[int(t, 16)], entry)
        for e, t, entry in _PRINTED.findall(output)
    }


class AllBut(frozenset):
    def __contains__(self, name) -> bool:
        return not super().__contains__(name)


# A reason, and the events, times and entries that it is about. Beside each: where the RTL has it.
ALL = AllBut()
FENCES = {"va", "asid", "range", "all"}
HITS = {"before", "answer", "after"}
RULES = [
    # TranslatePort: a command is held until it is answered; Checks.held fails otherwise.
    ("an access cannot be withdrawn", {"kill"}, ALL, ALL),
    # By the meaning of "warm". Beside a hit there may be the walk of the other port.
    ("a hit asks for no walk", ALL, AllBut(HITS), {"warm"}),
    # Walker: one command is on its way, and is answered in `waiting` or `swapping`.
    ("the memory answers at other times", {"bus_error"}, AllBut({"arrival", "swapped"}),
     AllBut({"warm"})),
    ("nobody waits for the memory then", {"timeout"},
     AllBut({"offer", "read", "offer_swap", "swap"}), AllBut({"warm"})),
    # Walker: state `idle` after a reset; no read before `step`.
    ("a reset ends a walk before it reads", {"reset"}, {"accepted", "start"}, {"table", "root"}),
    # TranslateUnit: `expected` and `steady` begin with False.
    ("after a reset, addresses are compared first", {"reset"}, {"before"}, ALL),
    # TranslateUnit: without translation a request is `direct`, or there is none.
    ("without translation there is no walk", {"off"}, {"accepted"}, ALL),
    ("without translation nothing hits", {"off"}, {"answer"}, {"warm"}),
    # WalkCache: nothing is found while it is `swept`, which begins a cycle after the command and is
    # longer than the two cycles until a walk has looked.
    ("while an invalidation sweeps no table is found", FENCES, {"before", "accepted"}, {"table"}),
    # InvalidateScope.concerns, and Walker: `mayOffer`.
    ("it ends every walk, this one before it reads", {"all"}, {"start"}, {"table", "root"}),
]  # fmt: skip


def impossible(cell: Cell) -> str | None:
    """Why the cell cannot exist."""
    for reason, *sides_ in RULES:
        if all(name in names for name, names in zip(cell, sides_, strict=True)):
            return reason
    return None
