"""The tables on the size of an entry, and the boots of docs/data/entries.json."""

import click
import pytest

from tools.measures import entries
from tools.measures.entries import CHOOSES, KNOWS, Placed, all_boots

ROWS = entries.MEASURED.recorded()["boots"]


def test_every_boot_is_recorded_once() -> None:
    recorded = [Placed(*(row[name] for name in Placed.__annotations__)) for row in ROWS]
    assert recorded == all_boots()


def test_a_pair_is_divided_place_by_place() -> None:
    values = {(True, 0): 110, (True, 1): 300, (False, 0): 100, (False, 1): 200}
    made = []
    for boot in all_boots():
        column = dict.fromkeys(ROWS[0]["values"], values[boot.image == CHOOSES, min(boot.place, 1)])
        made.append({**vars(boot), "levels": "3", "reach": "", "values": column})
    assert len(KNOWS) == 2
    assert entries.choice_table({"boots": made}).count("1.100 **1.500** 1.500") == 8


def test_only_what_is_committed_is_measured(monkeypatch) -> None:
    monkeypatch.setattr(entries, "commit", lambda: "0123456789")
    assert entries.committed() == "0123456789"
    monkeypatch.setattr(entries, "commit", lambda: "0123456789-dirty")
    with pytest.raises(click.ClickException, match="differ from commit 0123456789; commit them"):
        entries.committed()


def test_a_spread_of_one_value_is_that_value() -> None:
    assert entries.three([1.0, 1.0], 2) == "1.00"
    assert entries.three([3, 1, 2], 0) == "1 **2** 3"
