"""The grader's frame: points, parts that need others, what is said to a student whose hand-in is
broken, and that nothing of ours breaks on it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from labs import answers, grade, judge, machine
from labs.lab import Check, Handin, Prose, Sheet, Trouble, Verdict
from labs.questions import Number, Word, number
from labs.seed import Seed
from support.root import ROOT

SCRIPT = ROOT / "tb/labs/grade.py"


def run(*arguments: str) -> subprocess.CompletedProcess:
    """By a Python that has no packages."""
    command = [sys.executable, "-S", "-E", str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def graded(folder: Path, *more: str) -> str:
    """What the grader prints about a folder; it never ends in an error of ours."""
    done = run("grade", "--lab", "0", "--name", "anna", "--handin", str(folder), *more)
    assert "Traceback" not in done.stderr + done.stdout
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def started(tmp_path: Path) -> Path:
    done = run("start", "--lab", "0", "--name", "anna", "--handin", str(tmp_path))
    assert done.returncode == 0, done.stderr
    return tmp_path


def fails(message: str):
    def judged(handin: Handin) -> Verdict:
        raise Trouble(message)

    return judged


def passes(handin: Handin) -> Verdict:
    return Verdict(True)


def test_what_needs_a_part_that_failed_is_not_run() -> None:
    sheet = Sheet("", (
        Check("compiles", 1, "it compiles", fails("map.c:3: error")),
        Check("maps", 4, "it maps", passes, needs=("compiles",)),
        Check("faults", 2, "it faults", passes, needs=("maps",)),
        Check("other", 1, "something else", passes),
        Check("block", 3, "a block", passes, bonus=True),
        Prose("why", 2, "Why?"),
    ))  # fmt: skip
    rows = list(judge.rows(sheet, Handin(Path("."))))
    states = [row.state.value for row in rows]
    assert states == ["failed", "not run", "not run", "passed", "passed", "by hand"]
    assert rows[0].got == "map.c:3: error" and rows[1].got == "needs 'compiles'"
    assert judge.total(rows) == judge.Total(points=1, of=8, bonus=3, by_hand=2)


def test_a_part_needs_what_stands_before_it() -> None:
    with pytest.raises(ValueError, match="'maps' is there twice, or before"):
        Sheet("", (Check("maps", 1, "", passes, needs=("compiles",)),))


@pytest.mark.parametrize(
    "text, value",
    [("0x1F", 31), (" 31 ", 31), ("1_000", 1000), ("0b11", 3), (31, 31), ("1,000", 1000),
     ("many", None), ("1.5", None), (1.5, None), (True, None), ([1], None), ({}, None),
     ("9" * 90, None), (1 << 90, None)],
)  # fmt: skip
def test_numbers_as_people_write_them(text: object, value: int | None) -> None:
    assert number(text) == value


def test_a_word_must_be_one_of_its_words() -> None:
    word = Word("w", 1, "Which?", "yes", ("yes", "no"))
    assert word.judge(Handin(Path("."), {"w": " Yes"})).passed
    assert "'maybe', which is not one of: yes, no" in word.judge(
        Handin(Path("."), {"w": "maybe"})).got  # fmt: skip
    with pytest.raises(ValueError, match="none of"):
        Word("w", 1, "Which?", "perhaps", ("yes", "no"))


def test_what_was_measured_may_differ_a_little() -> None:
    asked = Number("n", 1, "How many cycles?", 1000, spread=0.05)
    for given, passed in (("1049", True), ("1051", False), ("950", True)):
        assert asked.judge(Handin(Path("."), {"n": given})).passed is passed


def test_starting_twice_keeps_what_is_there(started: Path) -> None:
    path = started / answers.NAME
    path.write_text(path.read_text().replace('levels_4k = ""', 'levels_4k = "3"'))
    done = run("start", "--lab", "0", "--name", "anna", "--handin", str(started))
    assert "stays as it is" in done.stdout and 'levels_4k = "3"' in path.read_text()


def test_the_key_is_full_marks_and_is_json(started: Path) -> None:
    printed = run("questions", "-c", "--lab", "0", "--name", "anna").stdout
    (started / answers.NAME).write_text(printed)
    result = started / "result.json"
    assert "total: 24 of 24 points; 4 more" in graded(started, "--json", str(result))
    told = json.loads(result.read_text())
    assert (told["points"], told["of"], told["by_hand"]) == (24, 24, 4)
    assert {row["state"] for row in told["rows"]} == {"passed", "by hand"}


def test_starter_has_no_points_and_tells_no_answer(started: Path) -> None:
    """Questions without an answer are open, not wrong."""
    text = graded(started)
    assert "total: 0 of 24 points" in text and "expected" not in text
    assert text.count("  open ") == 21 and "WRONG" not in text and "no answer" not in text
    assert "answers:" in graded(started, "-c")


def seven_in_each(folder: Path) -> None:
    """A guess for every question."""
    path = folder / answers.NAME
    path.write_text(re.sub(r'^(\w+ = )""$', r'\1"7"', path.read_text(), flags=re.M))


def test_a_wrong_guess_is_not_told_the_answer(started: Path) -> None:
    """Neither on the screen nor in the file of results; a teacher asks for it with KEY=1."""
    seven_in_each(started)
    result = started / "result.json"
    text = graded(started, "--json", str(result))
    assert text.count("WRONG") > 10 and "expected" not in text and "got      7" in text
    rows = json.loads(result.read_text())["rows"]
    assert not any(row["expected"] for row in rows)
    assert {row["state"] for row in rows} == {"failed", "by hand"}
    assert graded(started, "-c").count("expected") == text.count("WRONG")


def test_a_check_of_code_says_what_it_expects() -> None:
    checks = Sheet("", (Check("maps", 4, "it maps", lambda _: Verdict(False, "0", "-12")),))
    (row,) = judge.rows(checks, Handin(Path(".")))
    assert (row.expected, row.got) == ("0", "-12")


def test_a_reader_that_leaves_is_no_error(started: Path) -> None:
    """As `| head` does."""
    command = [sys.executable, "-S", "-E", str(SCRIPT), "grade", "--lab", "0", "--name", "anna"]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        done = subprocess.run(
            [*command, "--handin", str(started)],
            stdout=gone, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert not done.stderr and done.returncode == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    "content, message",
    [
        (b'levels_4k = "3\n', "line 1 is not understood"),
        (b"levels_4k = three\n", "line 1 is not understood"),
        (b'level_4k = "3"\n', "nothing is asked under 'level_4k'"),
        (b"levels_4k = " + b"9" * 5000, "an answer is not understood"),
        (b"levels_4k = " + b"[" * 5000, "an answer is not understood"),
        (b"\xff\xfe\x00", "is no text in UTF-8"),
        (b"x" * (answers.MOST_BYTES + 1), "Only answers belong into it"),
        (None, "is missing"),
    ],
    ids=["quote", "bare", "name", "digits", "nested", "binary", "large", "missing"],
)
def test_a_broken_file_of_answers(started: Path, content: bytes | None, message: str) -> None:
    path = started / answers.NAME
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    text = graded(started)
    assert message in text and "total: 0 of 24" in text


def test_answers_of_a_wrong_kind(started: Path) -> None:
    """Each costs its own points, and is shown on one line."""
    path = started / answers.NAME
    path.write_text(
        "levels_4k = [3]\nlevels_16k = true\nlevels_64k = 2026-01-01\n"
        f'first_entries = 0x{"f" * 5000}\na_index_1 = "{"x" * 5000}"\na_write = 1.5\n'
    )
    text = graded(started)
    assert "'[3]', which is not a number, like 12" in text and "'1.5', which is not one of" in text
    assert "total: 0 of 24" in text and max(map(len, text.splitlines())) < 200


def test_an_editor_that_writes_a_mark_and_its_own_ends_of_lines(started: Path) -> None:
    printed = run("questions", "-c", "--lab", "0", "--name", "anna").stdout
    text = b"\xef\xbb\xbf" + printed.replace("\n", "\r\n").encode()
    (started / answers.NAME).write_bytes(text)
    assert "total: 24 of 24 points" in graded(started)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    done = run("grade", "--lab", "0", "--name", "anna", "--handin", str(tmp_path / "none"))
    assert done.returncode == 1 and "is no folder" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["", "   ", "x" * 65])
def test_a_seed_is_a_name(name: str) -> None:
    done = run("questions", "--lab", "0", "--name", name)
    assert done.returncode == 1 and "write NAME=anna" in done.stderr


@pytest.mark.parametrize("number", ["99", "-1", "one", "", "1.0"])
def test_a_lab_that_is_not_there(number: str) -> None:
    done = run("questions", f"--lab={number}", "--name", "anna")
    assert done.stderr.startswith(f"Error: LAB is '{number}'; there are labs 0, 1, ")


@pytest.mark.parametrize("command", ["explore", "measure"])
def test_a_lab_that_runs_nothing(command: str) -> None:
    who = ["--name", "anna"] if command == "explore" else []
    done = run(command, "--lab", "0", *who)
    assert done.returncode == 1 and done.stderr.startswith("Error: lab 0 ")


def test_folders_of_names() -> None:
    assert Seed("Anna Müller", 0).folder == "lab0-anna-m-ller"
    assert Seed("李", 1).folder.startswith("lab1-") and len(Seed("李", 1).folder) == 13


def test_a_long_question_is_one_line() -> None:
    row = judge.Row("q", "x" * 200, judge.State.FAILED, 0, 1, expected="1", got="2\n3")
    lines = grade.line(row).splitlines()
    assert len(lines) == 4 and max(map(len, lines)) <= 100
    assert lines[1].endswith("expected 1") and lines[3].strip() == "3"


def test_the_handout_says_what_the_starter_has(started: Path) -> None:
    """And it says how many points a person gives."""
    total = graded(started).splitlines()[-1]
    points, by_hand = re.findall(r"\d+ of \d+ points|\d+(?= more)", total)
    text = " ".join((ROOT / "docs/labs/lab0.md").read_text().split())
    assert f"has {points}, and {by_hand} more" in text


def test_commands_of_the_handout_run() -> None:
    """Those that need no build."""
    commands = re.findall(r"^python3 (.*)$", (ROOT / "docs/labs/lab0.md").read_text(), re.M)
    assert len(commands) == 4
    for command in commands:
        script, *rest = command.split()
        subprocess.run(
            [sys.executable, str(ROOT / script), *rest], check=True, stdout=subprocess.DEVNULL
        )


@pytest.mark.parametrize("command", ["start", "grade"])
def test_a_lab_of_hardware_needs_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Where there is none, nothing is begun."""
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    folder = tmp_path / "mine"
    words = [command, "--lab", "9", "--name", "anna", "--handin", str(folder)]
    monkeypatch.setattr(sys, "argv", ["grade.py", *words])
    with pytest.raises(SystemExit, match="Error: lab 9 is a lab of hardware: .* a checkout"):
        grade.main()
    assert not folder.exists()


@pytest.mark.parametrize("command", [["questions", "--name", "anna"], ["measure"]])
def test_a_simulator_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """Answers that are measured cannot be had then."""
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    done = run(*command, "--lab", "2")
    assert done.returncode == 1 and "it has no include" in done.stderr
    assert "Traceback" not in done.stderr
