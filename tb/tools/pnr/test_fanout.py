"""The trees of buffers: every sink still hangs on its net, and no net has too many."""

import pytest

from tools.pnr.fanout import LARGEST, MOST, limit, sinks_of


def module(sinks: int) -> dict:
    """A net 2 with so many sinks, and beside them a net 3 with one, on the second bit of a port."""
    cell = {"type": "DFF", "port_directions": {"D": "input", "Q": "output"}}
    cells = {
        f"sink{n}": cell | {"connections": {"D": [2, 3] if n == 0 else [2], "Q": [10 + n]}}
        for n in range(sinks)
    }
    return {"cells": cells, "netnames": {"wide": {"bits": [2, 3, "0", 400]}}}


def root(cells: dict, bit: int) -> int:
    """The net behind the buffers."""
    drivers = {c["connections"]["F"][0]: c for c in cells.values() if c["type"] == "LUT1"}
    while bit in drivers:
        bit = drivers[bit]["connections"]["I0"][0]
    return bit


@pytest.mark.parametrize("sinks", (11, 20, 21, 50))
def test_no_net_has_too_many(sinks):
    split = module(sinks)
    added = limit(split)
    assert added == -(-sinks // MOST)
    assert max(map(len, sinks_of(split["cells"]).values())) <= MOST
    ends = [c["connections"]["D"] for c in split["cells"].values() if c["type"] == "DFF"]
    assert [root(split["cells"], bits[0]) for bits in ends] == [2] * sinks
    assert ends[0][1] == 3, "another bit of the port stays where it was"
    assert min(bit for bit in sinks_of(split["cells"]) if bit > 3) > 400, "a net of its own"


@pytest.mark.parametrize("sinks", (1, MOST, LARGEST + 1))
def test_other_nets_stay_as_they_are(sinks):
    split = module(sinks)
    assert limit(split) == 0 and split == module(sinks)
