"""Lab 0 in a browser: a student answers, gets points and hints, sees the hardware do the walk, and
hands in a file that the grader reads."""

import json
import subprocess
import sys

import pytest

from labs import answers, lab0
from labs.lab import number
from labs.seed import Seed
from model import Translation
from support.root import ROOT
from web.browser import DESK, PHONE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

NAMES = ["anna", " Anna  Müller ", "李", "İnci", "Łukasz ŻÓŁĆ", "x" * 64]
NUMBERS = ["0x1F", " 31 ", "1_000", "1,000", "0b11", "0o17", "00", "+5", "0x_1", "1 000", "many",
           "1.5", "007", "0x", "1__0", "_1", "", "-3", "0x1g", "1e3"]  # fmt: skip


@pytest.fixture
def opened(visit):
    def page(name: str = "", more: str = "", size: tuple[int, int] = DESK) -> Student:
        link = lab0.link(Seed(name, 0)).removeprefix(lab0.PAGE) + more if name else ""
        return visit(link, page="lab0", size=size)

    return page


def key(name: str) -> dict[str, str]:
    return answers.key(lab0.sheet(Seed(name, 0)))


def fill(student: Student, given: dict[str, str]) -> None:
    for id_, value in given.items():
        field = student.page.locator(f"#{id_}")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def checked(student: Student) -> str:
    student.click("#bar button[type=submit]")
    return student.text("points")


def handed_in(student: Student, name: str, folder) -> dict:
    """What the grader says of the file that the page saves."""
    with student.page.expect_download() as saved, student.waiting():
        student.page.click("#save")
    saved.value.save_as(folder / answers.NAME)
    result = folder / "result.json"
    subprocess.run(
        [sys.executable, "tb/labs/grade.py", "grade", "--lab", "0", "--name", name,
         "--handin", str(folder), "--json", str(result)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return json.loads(result.read_text())


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_somebody_who_knows_nothing_does_the_lab(opened, tmp_path, size) -> None:
    """From a name to a graded file; the page says what to do and what must be known."""
    student = opened(size=size)
    page = student.page
    assert page.is_hidden("#bar") and "Type your name" in page.inner_text("main")
    assert "The address of a descriptor is that of its table plus 8" in student.text("know")
    page.fill("#name", "anna")
    student.click("#who button")
    assert f"number {lab0.sheet_number('anna')};" in student.text("which")
    assert page.is_disabled("[data-walk=A]")
    fill(student, key("anna"))
    page.fill("#why_levels", 'The offset is "larger".\nMore entries \\ table.')
    assert checked(student) == "24 of 24 points"
    assert page.locator(".says.right").count() == len(key("anna"))
    assert student.sticks_out() == []
    result = handed_in(student, "anna", tmp_path)
    assert student.text("points") == "answers.toml is saved: hand it in."
    assert (result["points"], result["of"], result["by_hand"]) == (24, 24, 4)
    assert "\\\\ table" in (tmp_path / answers.NAME).read_text()


def test_wrong_answers_get_hints_and_the_points_of_the_grader(opened, tmp_path) -> None:
    student = opened("bert")
    right = key("bert")
    wrong = {"a_index_2": "1", "b_address": "0x1000", "c_level": "many", "levels_4k": ""}
    wrong["a_write"] = "yes" if right["a_write"] == "no" else "no"
    fill(student, right | wrong)
    said = checked(student)
    assert f"{len(wrong) - 1} not right" in said
    student.page.click("#points button")
    assert student.page.evaluate("document.activeElement.id") == "a_index_2"
    assert lab0.INDEX in student.text("says-a_index_2")
    assert "This is not a number, like 12." in student.text("says-c_level")
    assert student.text("says-levels_4k") == "" and "1 question without an answer" in said
    result = handed_in(student, "bert", tmp_path)
    assert said.startswith(f"{result['points']} of {result['of']} points")
    lost = {row["id"] for row in result["rows"] if row["state"] in ("failed", "open")}
    assert lost == set(wrong)


def test_names_and_numbers_are_read_as_python_reads_them(opened) -> None:
    page = opened().page
    for name in NAMES:
        found = page.evaluate(f"sheetNumber({json.dumps(name)}, lab0.sheets.length)")
        assert found == lab0.sheet_number(Seed(name, 0).name), name
    for text in NUMBERS:
        found = page.evaluate(f"String(parseNumber({json.dumps(text)}))")
        value = number(text)
        known = value is not None and value >= 0  # no answer is less than 0
        assert found == (str(value) if known else "null"), text


OUTCOMES = """async (number) => {
  const found = {};
  for (const [letter, walk] of Object.entries(lab0.sheets[number].walks)) {
    const history = await record(walk);
    const { frames } = history;
    const frame = frames.find((f) => answers(f, 'data'));
    const walked = walkAt(frames, frames.indexOf(frame));
    found[letter] = {
      reads: walked.reads.map(({ address }) => hex(address)),
      last: hex(walked.reads.at(-1).descriptor),
      fault: frame.is('io_data_rsp_fault') ? frame.number('io_data_rsp_status') : null,
      pa: hex(frame.word('io_data_rsp_pa')),
    };
  }
  return found;
}"""


def test_the_hardware_does_every_walk_of_every_sheet_as_the_key_says(opened) -> None:
    student = opened()
    for sheet in range(lab0.SHEETS):
        found = student.page.evaluate(OUTCOMES, sheet)
        for letter, (walk, parts) in lab0.drawn(sheet)[1].items():
            outcome, did = walk.outcome, found[letter]
            assert [int(at, 16) for at in did["reads"]] == list(outcome.reads), (sheet, letter)
            if isinstance(outcome, Translation):
                assert did["fault"] is None and int(did["pa"], 16) == outcome.pa
            else:
                assert did["fault"] == outcome.status
            if letter == "D":
                assert int(did["last"], 16) == parts[0].answer


def test_a_walk_runs_on_the_hardware_when_it_is_answered(opened) -> None:
    """Of walk A: all that the student was asked is seen on the way."""
    student = opened("anna")
    right = key("anna")
    of_walk = {id_: value for id_, value in right.items() if id_.startswith("a_")}
    assert "Answer the questions of this walk first." in student.page.inner_text("#walk-A")
    fill(student, of_walk)
    assert student.page.is_disabled("[data-walk=B]")
    student.click("[data-walk=A]")
    end = lambda: student.page.is_disabled("#next")  # noqa: E731
    told = [said for _, said in student.there_and_back(end=end, keys=True)]
    for id_, value in of_walk.items():
        if "index" in id_:
            assert any(f"= {value} chooses" in said for said in told), id_
        elif "entry" in id_:
            assert any(f"descriptor at {value}." in said for said in told), id_
    assert any(f"PA {right['a_address']}" in said for said in told)


def test_a_link_leads_to_a_cycle_of_a_walk(opened, visit) -> None:
    student = opened("anna", "&walk=C")
    student.press("End", "ArrowLeft")
    other = visit(student.link, page="lab0")
    assert other.seen() == student.seen()
    assert "Walk C" in other.text("step")
    wrong = opened("anna", "&walk=Z")
    assert "the link has walk Z; there are A,B,C,D" in wrong.text("error")


def test_the_keyboard_is_enough(opened) -> None:
    """Name, first answer and points without a mouse; keys do not step while somebody types."""
    student = opened()
    page = student.page
    page.focus("#name")
    page.keyboard.type("anna")
    student.press("Enter")
    page.focus("#levels_4k")
    page.keyboard.type(key("anna")["levels_4k"])
    page.keyboard.press("ArrowLeft")
    student.press("Enter")
    assert student.text("points").startswith("1 of 24 points")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "levels_16k"


def test_answers_are_there_after_a_reload_and_not_for_another_name(opened) -> None:
    student = opened("anna")
    fill(student, {"levels_4k": "3", "why_first": "Bits are left over."})
    student.page.reload()
    student.page.wait_for_selector("body[data-done]")
    assert student.page.input_value("#levels_4k") == "3"
    assert student.page.input_value("#why_first") == "Bits are left over."
    student.page.fill("#name", "bert")
    student.click("#who button")
    assert student.page.input_value("#levels_4k") == ""
    student.page.fill("#name", "  ")
    student.click("#who button")
    assert 'the name is "": it must have 1 to 64 letters' in student.text("error")
