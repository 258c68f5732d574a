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


# Reason -> events, times, entries that it is about; None: all of them.
Rule = tuple[str, set[str] | None, set[str] | None, set[str] | None]
FENCES = {"va", "asid", "range", "all"}
ANSWERS = {"arrival", "swapped"}
WAITS = {"offer", "read", "offer_swap", "swap"}
RULES: list[Rule] = [
    ("an access cannot be withdrawn", {"kill"}, None, None),
    ("a hit asks for no walk", None, None, {"warm"}),
    ("the memory answers at other times", {"bus_error"}, None, None),
    ("nobody waits for the memory then", {"timeout"}, None, None),
    ("a reset empties the TLB", {"reset"}, {"before"}, {"warm"}),
    ("a reset empties the walk cache", {"reset"}, {"accepted", "start"}, {"table"}),
    ("after a reset, addresses are compared before a walk", {"reset"}, {"before"}, None),
    ("without translation there is no walk", {"off"}, {"before", "accepted"}, None),
    ("without translation protection is asked first", {"off"}, {"answer"}, None),
    ("while an invalidation sweeps no table is found", FENCES, {"before", "accepted"}, {"table"}),
    ("it concerns every walk, and takes all tables", {"all"}, {"start"}, {"table"}),
    ("without translation nothing hits", {"off"}, {"before", "answer"}, {"warm"}),
]
# Cells that a rule is not about, although its sets name them.
EXCEPT: dict[str, dict[str, set[str]]] = {
    "a hit asks for no walk": {"times": {"before", "answer", "after"}},
    "the memory answers at other times": {"times": ANSWERS},
    "nobody waits for the memory then": {"times": WAITS},
}


def impossible(cell: Cell) -> str | None:
    """Why the cell cannot exist."""
    for reason, events, times, entries in RULES:
        if times is None and cell.time in EXCEPT.get(reason, {}).get("times", ()):
            continue
        wanted = zip((events, times, entries), cell, strict=True)
        if all(names is None or name in names for names, name in wanted):
            return reason
    return None
