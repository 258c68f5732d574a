"""Lab 0 in a browser: a student answers, gets points and hints, sees the hardware do the walk, and
hands in a file that the grader reads."""

import json
import subprocess
import sys

import pytest

from labs import answers, lab0
from labs.hints0 import HINTS
from labs.lab import number
from labs.seed import Seed
from model import Translation
from support.root import ROOT
from web.browser import DESK, INDEX, PHONE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

PAGE = INDEX.parent / "lab0.html"
NAMES = ["anna", " Anna  Müller ", "李", "İnci", "Łukasz ŻÓŁĆ", "x" * 64]
NUMBERS = ["0x1F", " 31 ", "1_000", "1,000", "0b11", "0o17", "00", "+5", "0x_1", "1 000", "many",
           "1.5", "007", "0x", "1__0", "_1", "", "-3", "0x1g", "1e3"]  # fmt: skip


def opened(browser, name: str = "", more: str = "", size: tuple[int, int] = DESK) -> Student:
    link = lab0.link(Seed(name, 0)).removeprefix(lab0.PAGE) + more if name else ""
    return Student(browser, link, size, PAGE)


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
def test_somebody_who_knows_nothing_does_the_lab(browser, tmp_path, size) -> None:
    """From a name to a graded file; the page says what to do and what must be known."""
    student = opened(browser, size=size)
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
    assert page.locator(".says.right").count() == len(HINTS)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    result = handed_in(student, "anna", tmp_path)
    assert student.text("points") == "answers.toml is saved: hand it in."
    assert (result["points"], result["of"], result["by_hand"]) == (24, 24, 4)
    assert "\\\\ table" in (tmp_path / answers.NAME).read_text()
    student.leave()


def test_wrong_answers_get_hints_and_the_points_of_the_grader(browser, tmp_path) -> None:
    student = opened(browser, "bert")
    right = key("bert")
    wrong = {"a_index_2": "1", "b_address": "0x1000", "c_level": "many", "levels_4k": ""}
    wrong["a_write"] = "yes" if right["a_write"] == "no" else "no"
    fill(student, right | wrong)
    said = checked(student)
    assert f"{len(wrong) - 1} not right" in said
    student.page.click("#points button")
    assert student.page.evaluate("document.activeElement.id") == "a_index_2"
    assert HINTS["a_index_2"] in student.text("says-a_index_2")
    assert "This is not a number, like 12." in student.text("says-c_level")
    assert student.text("says-levels_4k") == "" and "1 question without an answer" in said
    result = handed_in(student, "bert", tmp_path)
    assert said.startswith(f"{result['points']} of {result['of']} points")
    lost = {row["id"] for row in result["rows"] if row["state"] in ("failed", "open")}
    assert lost == set(wrong)
    student.leave()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_the_sheet_that_python_gives_it(browser, name) -> None:
    student = opened(browser)
    found = student.page.evaluate(f"sheetNumber({json.dumps(name)}, lab0.sheets.length)")
    assert found == lab0.sheet_number(Seed(name, 0).name)
    student.leave()


def test_numbers_are_read_as_the_grader_reads_them(browser) -> None:
    student = opened(browser)
    for text in NUMBERS:
        found = student.page.evaluate(f"String(parseNumber({json.dumps(text)}))")
        value = number(text)
        known = value is not None and value >= 0  # no answer is less than 0
        assert found == (str(value) if known else "null"), text
    student.leave()


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


def test_the_hardware_does_every_walk_of_every_sheet_as_the_key_says(browser) -> None:
    student = opened(browser)
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
    student.leave()


def test_a_walk_runs_on_the_hardware_when_it_is_answered(browser) -> None:
    """Of walk A: all that the student was asked is seen on the way."""
    student = opened(browser, "anna")
    right = key("anna")
    of_walk = {id_: value for id_, value in right.items() if id_.startswith("a_")}
    assert "Answer the questions of this walk first." in student.page.inner_text("#walk-A")
    fill(student, of_walk)
    assert student.page.is_disabled("[data-walk=B]")
    student.click("[data-walk=A]")
    told = [student.sentence]
    while not student.page.is_disabled("#next"):
        student.press("ArrowRight")
        told.append(student.sentence)
    for id_, value in of_walk.items():
        if "index" in id_:
            assert any(f"= {value} chooses" in said for said in told), id_
        elif "entry" in id_:
            assert any(f"descriptor at {value}." in said for said in told), id_
    assert any(f"PA {right['a_address']}" in said for said in told)
    backward = [student.sentence]
    while student.cycle > 2:
        student.press("ArrowLeft")
        backward.append(student.sentence)
    assert backward[::-1][-len(told) :] == told
    student.leave()


def test_a_link_leads_to_a_cycle_of_a_walk(browser) -> None:
    student = opened(browser, "anna", "&walk=C")
    student.press("End", "ArrowLeft")
    other = Student(browser, "#" + student.page.url.split("#")[1], page=PAGE)
    assert (other.cycle, other.sentence) == (student.cycle, student.sentence)
    assert "Walk C" in other.text("step")
    other.leave()
    wrong = opened(browser, "anna", "&walk=Z")
    assert "the link has walk Z; there are A,B,C,D" in wrong.text("error")
    wrong.leave()
    student.leave()


def test_the_keyboard_is_enough(browser) -> None:
    """Name, first answer and points without a mouse; keys do not step while somebody types."""
    student = opened(browser)
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
    student.leave()


def test_answers_are_there_after_a_reload_and_not_for_another_name(browser) -> None:
    student = opened(browser, "anna")
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
    student.leave()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off_on_a_phone(browser, scheme) -> None:
    student = opened(browser, "anna", "&walk=A&cycle=12", PHONE)
    student.page.emulate_media(color_scheme=scheme)
    assert student.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    wide = student.page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, pre, datalist')"
        " && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert not wide
    student.leave()
