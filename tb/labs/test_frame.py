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

from labs import answers, grade, judge, lab2, machine, scala
from labs.lab import Check, Handin, Number, Prose, Sheet, Trouble, Word, Wrong, number
from labs.labs import LABS
from labs.seed import Seed
from labs.trial import slow
from support.root import ROOT


class Work:
    """Of anna: her folder, and the grader's commands on it."""

    def __init__(self, call, folder: Path, lab: int = 0):
        self.call, self.folder, self.lab = call, folder, lab
        self.answers = folder / answers.NAME

    def run(self, command: str, *more: str) -> str:
        who = ("--lab", str(self.lab), "--name", "anna", "--handin", str(self.folder))
        return self.call(command, *who, *more)

    def graded(self, *more: str) -> str:
        return self.run("grade", "--json", str(self.folder / "result.json"), *more)

    @property
    def result(self) -> dict:
        return json.loads((self.folder / "result.json").read_text())


@pytest.fixture(name="call")
def fixture_call(monkeypatch, capsys):
    """What a command prints."""

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["grade.py", *words])
        grade.main()
        return capsys.readouterr().out

    return run


@pytest.fixture(name="anna")
def fixture_anna(call, tmp_path: Path) -> Work:
    work = Work(call, tmp_path)
    work.run("start")
    return work


@pytest.fixture(name="key")
def fixture_key(call) -> str:
    """Full marks of lab 0."""
    return call("questions", "-c", "--lab", "0", "--name", "anna")


def raises(error: Trouble):
    def judged(handin: Handin) -> None:
        raise error

    return judged


def test_what_needs_a_part_that_failed_is_not_run() -> None:
    """What runs code says what it expects."""
    sheet = Sheet("", (
        Check("compiles", 1, "it compiles", raises(Trouble("map.c:3: error")), ()),
        Check("maps", 4, "it maps", bool),
        Check("faults", 2, "it faults", bool, needs=("maps",)),
        Check("other", 1, "something else", bool, ()),
        Check("number", 1, "a number", raises(Wrong("0", -12)), ()),
        Check("block", 3, "a block", bool, (), bonus=True),
        Prose("why", 2, "Why?"),
    ))  # fmt: skip
    rows = list(judge.rows(sheet, Handin(Path("."))))
    states = [row.state for row in rows]
    assert states == ["failed", "not run", "not run", "passed", "failed", "passed", "by hand"]
    assert rows[0].got == "map.c:3: error" and rows[1].got == "needs 'compiles'"
    assert (rows[4].expected, rows[4].got) == ("0", "-12")
    assert judge.total(rows) == judge.Total(points=1, of=9, bonus=3, by_hand=2)


def test_a_part_needs_what_stands_before_it() -> None:
    with pytest.raises(ValueError, match="'maps' is there twice, or before"):
        Sheet("", (Check("maps", 1, "", bool),))


@pytest.mark.parametrize(
    "text, value",
    [("0x1F", 31), (" 31 ", 31), ("1_000", 1000), ("0b11", 3), (31, 31), ("1,000", 1000),
     ("many", None), ("1.5", None), (1.5, None), (True, None), ([1], None), ({}, None),
     ("9" * 90, None), (1 << 90, None)],
)  # fmt: skip
def test_numbers_as_people_write_them(text: object, value: int | None) -> None:
    assert number(text) == value


def given(question: Number | Word, answer: str) -> judge.Row:
    handin = Handin(Path("."), {question.id: answer})
    (row,) = judge.rows(Sheet("", (question,)), handin)
    return row


def test_a_word_must_be_one_of_its_words() -> None:
    word = Word("w", 1, "Which?", "yes", ("yes", "no"))
    assert given(word, " Yes").points == 1
    assert "'maybe', which is not one of: yes, no" in given(word, "maybe").got
    with pytest.raises(ValueError, match="none of"):
        Word("w", 1, "Which?", "perhaps", ("yes", "no"))


def test_what_was_measured_may_differ_a_little() -> None:
    asked = Number("n", 1, "How many cycles?", 1000, spread=0.05)
    for answer, points in (("1049", 1), ("1051", 0), ("950", 1)):
        assert given(asked, answer).points == points


def test_it_needs_a_python_without_packages(tmp_path: Path) -> None:
    """Nor a reader that stays: `| head` leaves before the end."""
    command = [sys.executable, "-S", "-E", ROOT / "tb/labs/grade.py", "start", "--lab", "0",
               "--name", "anna", "--handin", tmp_path]  # fmt: skip
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        done = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, check=False)
    assert not done.stderr and done.returncode == 128 + signal.SIGPIPE
    assert 'levels_4k = ""' in (tmp_path / answers.NAME).read_text()


def test_starting_twice_keeps_what_is_there(anna: Work) -> None:
    anna.answers.write_text('levels_4k = "3"')
    assert "stays as it is" in anna.run("start")
    assert anna.answers.read_text() == 'levels_4k = "3"'


def test_the_key_is_full_marks_and_is_json(anna: Work, key: str) -> None:
    anna.answers.write_text(key)
    assert "total: 24 of 24 points; 4 more" in anna.graded()
    told = anna.result
    assert (told["points"], told["of"], told["by_hand"]) == (24, 24, 4)
    assert {row["state"] for row in told["rows"]} == {"passed", "by hand"}


def test_starter_has_no_points_and_tells_no_answer(anna: Work) -> None:
    """Questions without an answer are open, not wrong. The handout says how many there are."""
    text = anna.graded()
    assert "total: 0 of 24 points" in text and "expected" not in text
    assert text.count("  open ") == 21 and "WRONG" not in text and "no answer" not in text
    assert "answers:" in anna.graded("-c")
    points, by_hand = re.findall(r"\d+ of \d+ points|\d+(?= more)", text.splitlines()[-1])
    page = " ".join((ROOT / "docs/labs/lab0.md").read_text().split())
    assert f"has {points}, and {by_hand} more" in page


def test_a_wrong_guess_is_not_told_the_answer(anna: Work) -> None:
    """Neither on the screen nor in the file of results; a teacher asks for it with KEY=1."""
    anna.answers.write_text(re.sub(r'^(\w+ = )""$', r'\1"7"', anna.answers.read_text(), flags=re.M))
    text = anna.graded()
    assert text.count("WRONG") > 10 and "expected" not in text and "got      7" in text
    rows = anna.result["rows"]
    assert not any(row["expected"] for row in rows)
    assert {row["state"] for row in rows} == {"failed", "by hand"}
    assert anna.graded("-c").count("expected") == text.count("WRONG")


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
def test_a_broken_file_of_answers(anna: Work, content: bytes | None, message: str) -> None:
    anna.answers.unlink()
    if content is not None:
        anna.answers.write_bytes(content)
    text = anna.graded()
    assert message in text and "total: 0 of 24" in text


def test_answers_of_a_wrong_kind(anna: Work) -> None:
    """Each costs its own points, and is shown on one line."""
    anna.answers.write_text(
        "levels_4k = [3]\nlevels_16k = true\nlevels_64k = 2026-01-01\n"
        f'first_entries = 0x{"f" * 5000}\na_index_1 = "{"x" * 5000}"\na_write = 1.5\n'
    )
    text = anna.graded()
    assert "'[3]', which is not a number, like 12" in text and "'1.5', which is not one of" in text
    assert "total: 0 of 24" in text and max(map(len, text.splitlines())) < 200


def test_an_editor_that_writes_a_mark_and_its_own_ends_of_lines(anna: Work, key: str) -> None:
    anna.answers.write_bytes(b"\xef\xbb\xbf" + key.replace("\n", "\r\n").encode())
    assert "total: 24 of 24 points" in anna.graded()


@pytest.mark.parametrize(
    "words, said",
    [
        ("grade --lab=0 --name=anna --handin=/none", "Error: /none is no folder"),
        ("questions --lab=0 --name=", "write NAME=anna"),
        ("questions --lab=0 --name=" + "x" * 65, "write NAME=anna"),
        ("explore --lab=0 --name=anna", "Error: lab 0 has nothing to explore"),
        ("measure --lab=0", "Error: lab 0 measures nothing"),
        # Answers that are measured cannot be had without a simulator.
        ("questions --lab=2 --name=anna", "it has no include"),
        ("measure --lab=2", "it has no include"),
        *((f"questions --lab={lab} --name=anna", f"Error: LAB is '{lab}'; there are labs 0, 1, ")
          for lab in ("99", "-1", "one", "", "1.0")),
    ],
)  # fmt: skip
def test_what_is_refused(call, tmp_path: Path, monkeypatch, words: str, said: str) -> None:
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    lab2.reference.cache_clear()
    with pytest.raises(SystemExit, match=re.escape(said)):
        call(*words.split())


def test_folders_of_names() -> None:
    assert Seed("Anna Müller", 0).folder == "lab0-anna-m-ller"
    assert Seed("李", 1).folder.startswith("lab1-") and len(Seed("李", 1).folder) == 13
    with pytest.raises(ValueError, match="write NAME=anna"):
        Seed("   ", 0)


def test_a_long_question_is_one_line() -> None:
    row = judge.Row("q", "x" * 200, 1, False, judge.FAILED, expected="1", got="2\n3")
    lines = grade.line(row).splitlines()
    assert len(lines) == 4 and max(map(len, lines)) <= 100
    assert lines[1].endswith("expected 1") and lines[3].strip() == "3"


@pytest.mark.parametrize("command", ["start", "grade"])
def test_a_lab_of_hardware_needs_a_checkout(call, tmp_path: Path, monkeypatch, command) -> None:
    """Where there is none, nothing is begun."""
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    work = Work(call, tmp_path / "mine", lab=9)
    with pytest.raises(SystemExit, match="Error: lab 9 is a lab of hardware: .* a checkout"):
        work.run(command)
    assert not work.folder.exists()


# ---- what is no work at all, in each lab that students write a file in ---------------------------
CODE = [slow(number) for number, lab in LABS.items() if lab.files]


@pytest.mark.parametrize("number", CODE)
def test_bytes_that_are_no_program(call, tmp_path: Path, number: int) -> None:
    """From `make lab` to the file for a course's own system."""
    work, (name,) = Work(call, tmp_path, number), LABS[number].files
    work.run("start")
    (tmp_path / name).write_bytes(bytes(range(256)))
    assert str(tmp_path) not in work.graded()
    told = work.result
    (why,) = [row["got"] for row in told["rows"] if row["id"] == "compiles"]
    assert why.startswith("does not compile:\n") and name in why, why
    assert told["points"] == 0 and told["of"] > 0


@pytest.mark.slow
def test_scala_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scala, "SECONDS", 0.5)
    with pytest.raises(Trouble, match=r"did not end in 0.5 s: is there an endless loop\?"):
        scala.java([scala.places("scalaCompilerClasspath")], "scala.tools.nsc.Main", "-help")
