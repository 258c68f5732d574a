"""Lab 8: the reference notices every defect and has full marks, the starter notices none, and each
gap in a test costs the machines that live in it."""

from pathlib import Path

import pytest

from labs import judge, lab8, machine
from labs.defects import DEFECTS, NO_FAULT, REPORT, WALK
from labs.lab import Handin
from labs.seed import Seed
from labs.trial import NAMES, Trial, outcome
from sim.simulator import simulate
from support.root import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab8")]

TRIAL = Trial(8)
REFERENCE, STARTER = TRIAL.reference, TRIAL.starter
FULL, BY_HAND = 22, 4
ALL = set(range(1, len(DEFECTS) + 1))


def program(folder: Path, text: str) -> Handin:
    (folder / "hunt.c").write_text(text)
    handin = Handin(folder)
    machine.for_simulator(handin, "hunt.c", "lab8_rtl.c", "")  # it compiles
    return handin


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    total, _, said = TRIAL.graded(tmp_path, REFERENCE, name)
    assert total == judge.Total(FULL, FULL, 0, BY_HAND), said


def test_starter(tmp_path: Path) -> None:
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 2 and lost == TRIAL.checks() - {"compiles", "correct"}


def test_starter_notices_nothing(tmp_path: Path) -> None:
    """Whatever a name draws."""
    handin = program(tmp_path, STARTER)
    assert not [number for number in ALL if lab8.play(handin, number, "16k")]


def test_without_a_defect_it_is_the_machine(tmp_path: Path) -> None:
    """To the cycle, over everything that the reference does."""
    program(tmp_path, REFERENCE)
    elf = tmp_path / "build" / "lab8_rtl.elf"
    cycles = [simulate(elf, "--append", "4k", config=config).passed().cycles
              for config in ("teaching", "mutants")]  # fmt: skip
    assert cycles[0] == cycles[1]


def test_every_defect_has_the_sign_that_its_row_says(tmp_path: Path) -> None:
    """At each granule, so that the hunt may begin at any."""
    handin = program(tmp_path, REFERENCE)
    for number, defect in enumerate(DEFECTS, 1):
        for granule in lab8.GRANULES:
            report = lab8.play(handin, number, granule)
            assert report, f"{number} at {granule}"
            assert sign_of(report) in (defect.sign, None), f"{number}: {report}"


def sign_of(report: lab8.Report) -> str | None:
    """None: pages have other contents, which has two reasons."""
    if "walked again" in report.what:
        return WALK
    if report.what == "kind of a fault" or (report.expected & report.got and report.got < 0x40):
        return REPORT
    return NO_FAULT if report.expected < 0x40 and "stays" not in report.what else None


GAPS = {
    "a cold TLB only": ([("hot < 2", "hot < 1")], {7}),
    "no counting of walks": ([
        ("if (kind != K_ALL && kind != K_ASID && walks() != before)", "if (0)"),
        ("if (walks() != before)", "if (0)"),
    ], {18, 19}),
    "only whether a fault is there": ([
        ("if (got.status != status)", "if (!got.status != !status)"),
        ("if (got.status && got.write != (access % 3 == 1))", "if (0)"),
        ("if (!got.write)", "if (0)"),
    ], {16, 17}),
    "ASIDs from 1 to 255": ([("0x101", "0x81")], {15}),
    "four pages": ([("16 // of the TLB", "4 // of the TLB")], {11}),
    "pages of the own space": ([
        ('    moved("address, global", 0, K_VA, va_operand(page(2), 5), 2, 2);\n', ""),
        ("K_VA_ALL_ASIDS, va_operand(page(2), 5)", "K_VA_ALL_ASIDS, va_operand(page(2), 1)"),
        ("range_operand(page(1), 0, 5), 1, 2", "range_operand(page(1), 0, 1), 1, 2"),
    ], {8, 9}),
}  # fmt: skip


@pytest.mark.parametrize("changes, expected", GAPS.values(), ids=GAPS)
def test_a_gap_costs_the_machines_in_it(
    tmp_path: Path, changes: list[tuple[str, str]], expected: set[int]
) -> None:
    """Of a name that draws one of them at least."""
    name = next(f"{i}" for i in range(1000) if expected & drawn(f"{i}"))
    rows = TRIAL.rows(tmp_path, TRIAL.changed(*changes), name)
    missed = {row for row in rows if row.id in outcome(rows)[1]}
    assert {int(row.id.split("_")[1]) for row in missed} == expected & drawn(name)
    assert judge.total(rows).points == FULL - sum(row.of for row in missed)
    assert all(row.got == "none at 4k, 16k, 64k" for row in missed)


def drawn(name: str) -> set[int]:
    told, hidden = lab8.draw(Seed(name, 8))
    assert len({*told, *hidden}) == lab8.TOLD + lab8.HIDDEN
    return {*told, *hidden}


MACHINES = [f"{kind}_{number}" for kind, numbers in
            zip(("told", "hidden"), lab8.draw(Seed("anna", 8)), strict=True)
            for number in numbers]  # fmt: skip
TEST = "void test(void)\n{\n"
ALARMS = {
    "a rule that is none": (
        TRIAL.changed(("const int wx = user && !read_only;", "const int wx = user;")),
        "no report with pages of 4k",
    ),
    "a clock": (
        STARTER.replace(
            "{\n    *descriptor_of",
            "{\n    uint32_t from, to;\n    *descriptor_of",
        ).replace(
            "    const struct outcome got",
            '    __asm__ volatile("csrr %0, mcycle" : "=r"(from));\n    const struct outcome got',
        ).replace(
            "    if (got.status",
            '    __asm__ volatile("csrr %0, mcycle" : "=r"(to));\n'
            '    if (to - from > 900)\n        report("too slow", 0, 0, to - from);\n'
            "    if (got.status",
        ),
        "and slow memory",
    ),
    "it does not end": (TRIAL.changed((TEST, f"{TEST}    for (;;)\n        ;\n")),
                        "is there an endless loop?"),
    "it crashes": (TRIAL.changed((TEST, f"{TEST}    *word_at(8) = 1;\n")),
                   "your code crashed: exception 7"),
}  # fmt: skip


@pytest.mark.parametrize("text, said", ALARMS.values(), ids=ALARMS)
def test_a_test_that_fails_the_right_machine_has_no_points(
    tmp_path: Path, text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab8, "MOST", 600_000)
    rows = TRIAL.rows(tmp_path, text)
    assert outcome(rows)[1] == {"correct", *MACHINES}
    told = "\n".join(row.expected + row.got for row in rows)
    assert said in told and str(tmp_path) not in told


def test_code_that_does_not_compile(tmp_path: Path) -> None:
    rows = TRIAL.rows(
        tmp_path, STARTER.replace("report(", "complain(", 1).replace("got.value);", "")
    )
    assert outcome(rows)[1] == {"compiles", "correct", *MACHINES}
    assert "hunt.c:" in next(row.got for row in rows if row.id == "compiles")


def test_a_simulator_without_defects_says_so(tmp_path: Path) -> None:
    run = simulate(tmp_path / "none.elf", "--defect", "1")
    assert run.status == machine.COULD_NOT_RUN and "build/granule-sim-mutants has" in run.err


def test_a_defect_that_is_not_there(tmp_path: Path) -> None:
    run = simulate(tmp_path / "none.elf", "--defect", str(len(DEFECTS) + 1), config="mutants")
    assert run.status == machine.COULD_NOT_RUN and f"use 0 to {len(DEFECTS)}" in run.err


def test_numbers_of_the_pages() -> None:
    pages = [(ROOT / "docs" / where / "lab8.md").read_text() for where in ("labs", "teachers")]
    assert f"lists {len(DEFECTS)} expressions" in pages[0]
    assert lab8.TOLD + lab8.HIDDEN == 10 and f"Ten of {len(DEFECTS)} machines" in pages[1]


def test_two_names_have_different_machines() -> None:
    assert len({(*map(tuple, lab8.draw(Seed(f"{i}", 8))),) for i in range(20)}) == 20
