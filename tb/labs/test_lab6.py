"""Lab 6: the reference has full marks, the starter hardly any, and each typical mistake of a window
onto highmem costs what it should."""

from pathlib import Path

import pytest

from labs import judge, lab6
from labs.seed import Seed
from labs.trial import NAMES, Trial

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab6")]

TRIAL = Trial(6)
graded, changed = TRIAL.graded, TRIAL.changed
FULL, BONUS, BY_HAND = 28, 2, 4
ALL = {*(name for name, *_ in lab6.PARTS), "unused"}


@pytest.fixture(scope="module", autouse=True)
def one_granule_is_measured() -> None:
    """A run of the firmware takes half a minute; who is tested here needs only one."""
    measured = {lab6.measured_granule(Seed(name, 6)) for name in NAMES}
    assert len(measured) == 1


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    assert graded(tmp_path, TRIAL.reference, name)[0] == judge.Total(FULL, FULL, BONUS, BY_HAND)


def test_starter(tmp_path: Path) -> None:
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 1 and lost == ALL


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
    assert total.points == FULL - TRIAL.points_of(expected)


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
    asked = [[part.what for part in TRIAL.sheet(name).parts] for name in NAMES]
    assert asked[0] != asked[1]
    assert lab6.cases(Seed("anna", 6)) != lab6.cases(Seed("bert", 6))
