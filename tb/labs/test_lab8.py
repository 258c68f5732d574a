"""Lab 8: the reference notices every defect, the starter notices none, and each gap in a test costs
the machines that live in it."""

from pathlib import Path

import pytest

from labs import lab8, machine
from labs.defects import DEFECTS, NO_FAULT, REPORT, WALK
from labs.lab import Handin
from labs.seed import Seed
from labs.student_rtl import changed
from labs.trial import Trial
from sim.simulator import simulate

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab8")]

ALL = range(1, len(DEFECTS) + 1)


def program(folder: Path, text: str) -> Handin:
    (folder / "hunt.c").write_text(text)
    handin = Handin(folder)
    machine.for_simulator(handin, "hunt.c", "lab8_rtl.c", "")  # it compiles
    return handin


def test_starter_notices_nothing(tmp_path: Path) -> None:
    """Whatever a name draws."""
    handin = program(tmp_path, Trial(8).starter)
    assert not [number for number in ALL if lab8.play(handin, number, "16k")]


def test_without_a_defect_it_is_the_machine(tmp_path: Path) -> None:
    """To the cycle, over everything that the reference does."""
    program(tmp_path, Trial(8).reference)
    elf = tmp_path / "build" / "lab8_rtl.elf"
    cycles = [simulate(elf, "--append", "4k", config=config).passed().cycles
              for config in ("teaching", "mutants")]  # fmt: skip
    assert cycles[0] == cycles[1]


def test_every_defect_has_the_sign_that_its_row_says(tmp_path: Path) -> None:
    """At each granule, so that the hunt may begin at any."""
    handin = program(tmp_path, Trial(8).reference)
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
    "a cold TLB only": ({7}, ("hot < 2", "hot < 1")),
    "no counting of walks": (
        {18, 19}, ("if (kind != K_ALL && kind != K_ASID && walks() != before)", "if (0)"),
        ("if (walks() != before)", "if (0)"),
    ),
    "only whether a fault is there": (
        {16, 17}, ("if (got.status != status)", "if (!got.status != !status)"),
        ("if (got.status && got.write != (access % 3 == 1))", "if (0)"),
        ("if (!got.write)", "if (0)"),
    ),
    "ASIDs from 1 to 255": ({15}, ("0x101", "0x81")),
    "four pages": ({11}, ("16 // of the TLB", "4 // of the TLB")),
    "pages of the own space": (
        {8, 9}, ('    moved("address, global", 0, K_VA, va_operand(page(2), 5), 2, 2);\n', ""),
        ("K_VA_ALL_ASIDS, va_operand(page(2), 5)", "K_VA_ALL_ASIDS, va_operand(page(2), 1)"),
        ("range_operand(page(1), 0, 5), 1, 2", "range_operand(page(1), 0, 1), 1, 2"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("gap", GAPS)
def test_a_gap_costs_the_machines_in_it(tmp_path: Path, gap: str) -> None:
    """Of a name that draws one of them at least."""
    missed, *changes = GAPS[gap]
    trial = Trial(8, next(f"{i}" for i in range(1000) if missed & drawn(f"{i}")))
    found = trial.graded(tmp_path, changed(trial.reference, *changes))
    assert {int(part.split("_")[1]) for part in found.lost} == missed & drawn(trial.name)
    assert found.total.points == trial.whole.points - trial.points_of(found.lost)
    assert found.said.count("none at 4k, 16k, 64k") == len(found.lost)


def drawn(name: str) -> set[int]:
    machines = {number for kind in lab8.draw(Seed(name, 8)) for number in kind}
    assert len(machines) == lab8.TOLD + lab8.HIDDEN == 10
    return machines


@pytest.mark.parametrize(
    "number, config, said",
    [
        (1, "teaching", "build/granule-sim-mutants has"),
        (len(DEFECTS) + 1, "mutants", f"use 0 to {len(DEFECTS)}"),
    ],
)
def test_a_defect_that_is_not_there(tmp_path: Path, number: int, config: str, said: str) -> None:
    run = simulate(tmp_path / "none.elf", "--defect", str(number), config=config)
    assert run.status == machine.COULD_NOT_RUN and said in run.err
