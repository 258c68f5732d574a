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


def test_walk_for_a_program(call):
    status, out, _ = call("walk", "0x1234", "--tcr", "T0SZ=25", "--json")
    (result,) = json.loads(out)
    assert status == 0 and result["pa"] & 0xFFF == 0x234
    assert [step["level"] for step in result["steps"]] == [1, 2, 3]
    _, out, _ = call("walk", "0x1234", "--json")
    assert len(json.loads(out)) == 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("walk 0x1 --tcr T0SZ=16 --granule 4k", "leave --granule and --va-bits out"),
        ("walk 0x1 --memory console.txt", "console.txt, line 1: 'hello' is no descriptor"),
        ("walk 0x1 --memory gone", "gone cannot be read"),
        ("walk 0x1 --memory console.txt --block", "--memory has the tables; leave --block"),
        ("walk Z9", "'Z9' is neither an address nor a worked example"),
        ("fields TTBR", "there is no register 'TTBR'; there are TCR, TTBR0"),
        ("fields TCR T0SZ=64", "TCR.T0SZ is 64; use 0 to 63"),
        ("figures console.txt --id B-1", "no figure B-1; there are A-1, A-2"),
        ("figures gone.txt", "gone.txt: No such file or directory"),
        ("plot -o a.svg gone.txt", "gone.txt: No such file or directory"),
        ("plot console.txt --name e002.x -o a.svg", "no curve e002.x; there are e001.cost"),
        ("plot console.txt --name a --id b -o a.svg", "choose one of them"),
        ("plot console.txt --id A-1 --id A-2 -o a.svg", "figures of misses, pages have no common"),
        ("plot console.txt -o a.doc", "a.doc: "),
        ("run --simulator ./gone", "gone (the argument) is no program that can be run"),
    ],
)
def test_what_is_refused(call, words, says):
    status, _, err = call(*words.split())
    assert status == 2 and says in err and "Traceback" not in err


def test_without_matplotlib(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    status, _, err = call("plot", "console.txt", "-o", "a.svg")
    assert status == 2 and "plots need matplotlib: pip install '.[plot]'" in err
