"""Lab 6: the reference has full marks, the starter hardly any, and each typical mistake of a window
onto highmem costs what it should."""

from pathlib import Path

import pytest

from labs import answers, judge, lab6
from labs.lab import Handin
from labs.seed import Seed
from support.root import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab6")]

HOME = ROOT / "tb/labs"
REFERENCE = (HOME / "reference/lab6/kmap.c").read_text()
FULL, BONUS, BY_HAND = 28, 2, 4
POINTS = {name: points for name, points, *_ in lab6.PARTS}
ALL = {*POINTS, "unused"}
NAMES = ("anna", "bert")


@pytest.fixture(scope="module", autouse=True)
def one_granule_is_measured() -> None:
    """A run of the firmware takes half a minute; who is tested here needs only one."""
    measured = {lab6.measured_granule(Seed(name, 6)) for name in NAMES}
    assert len(measured) == 1


def graded(folder: Path, text: str, name: str = "anna") -> tuple[judge.Total, set[str], str]:
    """Points, what brought none, and all that was said."""
    sheet = lab6.sheet(Seed(name, 6))
    (folder / "kmap.c").write_text(text)
    rows = list(judge.rows(sheet, Handin(folder, answers.key(sheet))))
    lost = {row.id for row in rows if row.state in (judge.State.FAILED, judge.State.NOT_RUN)}
    return judge.total(rows), lost, "\n".join(f"{row.expected}\n{row.got}" for row in rows)


def changed(*changes: tuple[str, str]) -> str:
    text = REFERENCE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    assert graded(tmp_path, REFERENCE, name)[0] == judge.Total(FULL, FULL, BONUS, BY_HAND)


def test_starter(tmp_path: Path) -> None:
    starter = (HOME / "starter/lab6/kmap.c").read_text()
    assert graded(tmp_path, starter)[1] == ALL
    rows = list(judge.rows(lab6.sheet(Seed("anna", 6)), Handin(tmp_path)))
    assert judge.total(rows).points == 1
    handout = " ".join((ROOT / "docs/labs/lab6.md").read_text().split())
    assert f"starter has 1 of {FULL} points" in handout
    assert f"{BONUS} are a bonus, and {BY_HAND} more" in handout


FORGET = "    if (seen & ACCESSED)\n        forget(0, slots);\n"
BEFORE = "    uint64_t seen = 0;\n"
UNMAP = "        mapped[slot].users--;\n"
WRONG = {
    "never": ([(FORGET, "    (void)seen;\n")], {"fresh", "few", "unused"}),
    "before": (
        [(FORGET, "    (void)seen;\n"), (BEFORE, BEFORE + "    forget(0, slots);\n")],
        {"fresh", "few", "unused"},
    ),
    "at each unmap": (
        [(UNMAP, "        if (!--mapped[slot].users) {\n            set_slot(slot, 0);\n"
                 "            mapped[slot].page = 0;\n            forget(slot, 1);\n"
                 "            cursor = 0;\n        }\n")],
        {"few", "unused"},
    ),
    "a second slot": ([("unsigned slot = slot_of(page);", "unsigned slot = slots;")],
                      {"same", "few", "unused"}),
    "in use": ([("mapped[i].page && !mapped[i].users", "mapped[i].page")],
               {"same", "full", "held", "table"}),
    "first use only": ([(UNMAP, "        mapped[slot].users = 0;\n")], {"same"}),
    "leak": ([("    kunmap(entries);\n", "")], {"table"}),
    "no slot": ([("    if (!entries)\n        return -1;\n", "")], {"table"}),
    "any page": ([("return page >> 32 == 0;", "return page == 0;")], {"lowmem"}),
    "used at once": ([("page | PRESENT);", "page | PRESENT | ACCESSED);")], {"unused"}),
}  # fmt: skip


@pytest.mark.parametrize("changes, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: list[tuple[str, str]],
    expected: set[str],
) -> None:
    monkeypatch.setattr(lab6, "TRIED", ("16k",))  # the others say the same
    total, lost, said = graded(tmp_path, changed(*changes))
    assert lost == expected, said
    assert total.points == FULL - sum(POINTS.get(name, 0) for name in expected)


def test_32_bits_of_an_address(tmp_path: Path) -> None:
    """The page of lowmem with the same low bits is not there; memory is written at random."""
    _, lost, said = graded(tmp_path, changed(("page | PRESENT);", "(uint32_t)page | PRESENT);")))
    assert lost == ALL and "shows 0x5e" in said


def test_a_pointer_to_highmem(tmp_path: Path) -> None:
    text = changed(("entries = kmap(table);", "entries = (uint64_t *)(uint32_t)table;"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"table"} and "entry" in said


def test_a_wild_pointer(tmp_path: Path) -> None:
    text = changed(("        mapped[slot].page = page;", "        *(volatile int *)64 = 0;\n"
                    "        mapped[slot].page = page;"))  # fmt: skip
    assert "4k: your code made an access to 0x40 that faults" in graded(tmp_path, text)[2]


def test_a_slot_that_is_not_there(tmp_path: Path) -> None:
    text = changed(("        set_slot(slot, page", "        set_slot(slots + 3, page"))
    assert "and below are in the window" in graded(tmp_path, text)[2]


def test_it_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what fills the window fails."""
    monkeypatch.setattr(lab6, "MOST", 300_000)
    monkeypatch.setattr(lab6, "TRIED", ("16k",))
    text = changed(("            return 0;\n", "            for (;;)\n                ;\n"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"same", "full", "table"} and "is there an endless loop?" in said


def test_what_does_not_compile(tmp_path: Path) -> None:
    _, lost, said = graded(tmp_path, changed(("void *kmap(", "int kmap(")))
    assert "conflicting types" in said and str(tmp_path) not in said and {"compiles"} < lost


def test_costs_are_of_slots(tmp_path: Path) -> None:
    """With its tables in lowmem the same task uses hardly any slots, maps as many tables, and takes
    less of the kernel's time; with userpte=nohigh there are no others."""
    granule = lab6.measured_granule(Seed("anna", 6))
    high, low = lab6.arms(granule)
    (control,) = lab6.arms(granule, " userpte=nohigh")
    assert (high.tables, low.tables, control.tables) == ("highmem", "lowmem", "lowmem")
    assert high.maps == low.maps == control.maps and high.slots > 3 * low.slots
    assert high.kernel > 1.005 * low.kernel
    assert abs(control.kernel - low.kernel) < 0.005 * low.kernel


def test_two_names_have_different_questions() -> None:
    sheets = [lab6.sheet(Seed(name, 6)) for name in NAMES]
    asked = [[part.what for part in sheet.parts] for sheet in sheets]
    assert asked[0] != asked[1]
    assert lab6.cases(Seed("anna", 6)) != lab6.cases(Seed("bert", 6))
