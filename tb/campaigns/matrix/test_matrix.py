"""The matrix of scenarios: what the monitor prints is understood, and the directed scenarios bring
the RTL into every cell that can exist."""

from click.testing import CliRunner

from campaigns.matrix import run
from campaigns.matrix.cells import Cell, every, impossible, printed, sides
from campaigns.matrix.play import Result, play_all
from campaigns.matrix.run import CONFIG, missing, wrongly_impossible
from campaigns.soak.build import harness
from support.run import built

# Of the entries, those whose cells are all shown here; `make matrix` takes them all.
SHOWN = ("page_4k", "block_2m", "group")


def test_every_cell_of_some_entries():
    built("build/include/.ready")
    result = play_all(harness(CONFIG), 1, SHOWN)
    assert not result.wrong, result.wrong[:10]
    holes = [c for c in missing(result.cells) if c.entry in SHOWN]
    assert not holes, holes[:20]
    assert not wrongly_impossible(result.cells)
    assert len([c for c in result.cells if c.entry in SHOWN]) == 324


def test_cells_are_read():
    names = list(sides()["events"]), list(sides()["times"])
    output = "noise\nNOTE matrix: 3 a page_4k\n  NOTE matrix: 0 0 group\n"
    assert printed(output) == {Cell(names[0][3], names[1][10], "page_4k")}


def test_most_cells_can_exist():
    """Of the rest, a withdrawn access and walks of hits are the larger part."""
    reasons = [impossible(c) for c in every()]
    assert (reasons.count(None), len(reasons)) == (1202, 1716)
    assert impossible(Cell("va", "install", "group")) is None
    assert impossible(Cell("kill", "install", "group")) == "an access cannot be withdrawn"
    assert impossible(Cell("bus_error", "swapped", "page_16k")) is None
    assert impossible(Cell("bus_error", "install", "page_16k"))
    assert impossible(Cell("all", "answer", "warm")) is None
    assert impossible(Cell("bus_error", "answer", "warm")) is None
    assert impossible(Cell("all", "arrival", "warm")) == "a hit asks for no walk"


def test_a_hole_and_a_wrong_answer_fail(monkeypatch):
    cells = {c for c in every() if not impossible(c)}
    hole = Cell("va", "swap", "block_2m")
    monkeypatch.setattr(run, "harness", lambda _: None)
    monkeypatch.setattr(run, "built", lambda _: None)
    monkeypatch.setattr(run.results, "write", lambda *_, **__: None)

    def outcome(**fields):
        monkeypatch.setattr(run, "play_all", lambda *_: Result(**fields))
        return CliRunner().invoke(run.main, [])

    assert outcome(cells=cells).exit_code == 0
    holed = outcome(cells=cells - {hole})
    assert holed.exit_code == 1 and "not reached: va swap block_2m" in holed.output
    wrong = outcome(cells=cells, wrong=["va on group: answers 1 and then 1"])
    assert wrong.exit_code == 1 and "wrong: va on group" in wrong.output
    extra = outcome(cells=cells | {Cell("kill", "read", "group")})
    assert extra.exit_code == 1 and "called impossible: kill read group" in extra.output
