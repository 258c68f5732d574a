"""The tables on the size of an entry, and the boots of docs/data/entries.json."""

import click
import pytest

from tools.images import entries
from tools.images.entries import CHOOSES, KNOWS, MEASURED, Boot, all_boots, choice_table, three


def rows() -> list[dict]:
    return MEASURED.recorded()["boots"]


def test_every_boot_is_recorded_once() -> None:
    recorded = [Boot(*(row[name] for name in Boot.__annotations__)) for row in rows()]
    assert recorded == all_boots()


def test_a_pair_is_divided_place_by_place() -> None:
    values = {(CHOOSES, 0): 110, (CHOOSES, 1): 300, ("knows", 0): 100, ("knows", 1): 200}
    made = []
    for boot in all_boots():
        place = min(boot.place, 1)
        image = boot.image if boot.image == CHOOSES else "knows"
        column = dict.fromkeys(rows()[0]["values"], values[image, place])
        made.append({**vars(boot), "levels": "3", "reach": "", "values": column})
    table = choice_table({"boots": made})
    assert len(KNOWS) == 2
    assert table.count("1.100 **1.500** 1.500") == 8


def test_only_what_is_committed_is_measured(monkeypatch) -> None:
    monkeypatch.setattr(entries, "commit", lambda: "0123456789")
    assert entries.committed() == "0123456789"
    monkeypatch.setattr(entries, "commit", lambda: "0123456789-dirty")
    with pytest.raises(click.ClickException, match="differ from commit 0123456789; commit them"):
        entries.committed()


def test_a_spread_of_one_value_is_that_value() -> None:
    assert three([1.0, 1.0], 2) == "1.00"
    assert three([3, 1, 2], 0) == "1 **2** 3"
