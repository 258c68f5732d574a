"""The command in one process: what it prints, and that what is wrong is a sentence."""

import json
import sys
import tomllib

import pytest

import granule
from granule.__main__ import main
from support.root import ROOT

CONSOLE = """\
hello
RESULT id=A-1 run=4k class=figure value=2.5 unit=misses what=misses_a_read
RESULT id=A-2 run=4k class=figure value=1 unit=pages what=pages
SERIES name=e001.cost run=4k x=1 y=2
SERIES name=e001.cost run=4k x=2 y=3
"""


@pytest.fixture
def call(monkeypatch, capsys, tmp_path):
    """Status, stdout and stderr of one command, in a folder with a console."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "console.txt").write_text(CONSOLE)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["granule", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return ended.value.code or 0, said.out, said.err

    return run


def test_it_says_its_version(call):
    """That of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    status, out, _ = call("--version")
    assert status == 0 and out == f"granule {granule.__version__}\n"
    assert granule.__version__ == project["version"]


@pytest.mark.parametrize("command", ["figures", "plot"])
def test_a_file_that_is_not_there_is_named(call, command):
    more = ["-o", "a.svg"] if command == "plot" else []
    status, _, error = call(command, *more, "/nonexistent")
    assert status == 2 and "/nonexistent: No such file or directory" in error
    assert "Errno" not in error


def test_walk_for_a_program(call):
    status, out, _ = call("walk", "0x1234", "--tcr", "T0SZ=25", "--json")
    (result,) = json.loads(out)
    assert status == 0 and result["pa"] & 0xFFF == 0x234
    assert [step["level"] for step in result["steps"]] == [1, 2, 3]
    _, out, _ = call("walk", "0x1234", "--json")
    assert len(json.loads(out)) == 3


def test_fields(call):
    assert call("fields", "tcr", "T0SZ=16")[1].startswith("TCR = 0x10\n  T0SZ     5:0     0x10\n")
    assert "4k = 0, 16k = 2, 64k = 1" in call("fields", "TCR")[1]
    assert call("fields")[1].count("\n") == 10


def test_figures(call):
    status, out, _ = call("figures", "console.txt", "--id", "A-1")
    assert status == 0 and out.split() == ["A-1", "4k", "2.5", "misses", "misses", "a", "read"]
    rows = json.loads(call("figures", "console.txt", "--json")[1])
    assert [row["id"] for row in rows] == ["A-1", "A-2"]


def test_plots(call, tmp_path):
    assert call("plot", "console.txt", "-o", "a.svg")[:2] == (0, "a.svg\n")
    assert "e001.cost, 4k, teaching" in (tmp_path / "a.svg").read_text().replace("<!-- ", "")
    assert call("plot", "console.txt", "--id", "A-1", "-o", "b.png")[0] == 0
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("walk 0x1 --tcr T0SZ=16 --granule 4k", "leave --granule and --va-bits out"),
        ("walk 0x1 --memory console.txt", "console.txt, line 1: 'hello' is no descriptor"),
        ("walk 0x1 --memory gone", "gone cannot be read"),
        ("walk 0x1 --memory console.txt --block", "--memory has the tables; leave --block"),
        ("walk 0x1 --satp 0x80000000", "add sv32 or rv64 to its features"),
        ("walk 0x1 --features sv33", "feature 'sv33' is not known"),
        ("walk Z9", "'Z9' is neither an address nor a worked example"),
        ("fields TTBR", "there is no register 'TTBR'; there are TCR, TTBR0"),
        ("fields TCR T0SZ=64", "TCR.T0SZ is 64; use 0 to 63"),
        ("figures console.txt --id B-1", "no figure B-1; there are A-1, A-2"),
        ("figures gone.txt", "gone.txt"),
        ("plot console.txt --name e002.x -o a.svg", "no curve e002.x; there are e001.cost"),
        ("plot console.txt --name a --id b -o a.svg", "choose one of them"),
        ("plot console.txt --id A-1 --id A-2 -o a.svg", "figures of misses, pages have no common"),
        ("plot console.txt -o a.doc", "a.doc: "),
        ("run --simulator ./gone", "gone (the argument) is no program that can be run"),
        ("run --max-cycles 0", "max_cycles is 0; use 1 or more"),
    ],
)
def test_what_is_refused(call, words, says):
    status, _, err = call(*words.split())
    assert status == 2 and says in err and "Traceback" not in err


def test_without_matplotlib(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    status, _, err = call("plot", "console.txt", "-o", "a.svg")
    assert status == 2 and "plots need matplotlib: pip install '.[plot]'" in err
