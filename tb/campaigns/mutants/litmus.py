"""Seeded defects that must show as an end which the model of a litmus shape does not have. The
killer is the shape."""

from campaigns.mutants.mutant import Mutant

WALKER = "rtl/src/granule/walk/Walker.scala"
SWEEP = "rtl/src/granule/tlb/InvalidateSweep.scala"


def row(name: str, defect: str, shape: str, change: tuple[str, str, str]) -> Mutant:
    """`change`: in which file what becomes what."""
    return Mutant(f"litmus-{name}", defect, "ours", *change, "litmus", shape, unit="mmu:teaching")


LITMUS_MUTANTS = [
    row(
        "walk-survives",
        "a walk goes on that an invalidation concerns",
        "RBS+dsb-tlbiis-dsb",
        (
            WALKER,
            "when(io.invalidated.valid && io.invalidated.payload) { killed := True }",
            "",
        ),
    ),
    row(
        "nothing-is-suspect",
        "an invalidation is complete and what it covers is not silent",
        "RBS+dsb-tlbiis-dsb",
        (SWEEP, "io.suspects.valid := state === State.widen", "io.suspects.valid := False"),
    ),
    row(
        "done-before-the-swap",
        "an invalidation is complete before the compare-and-swap of a killed walk",
        "AF.table+dsb-tlbiis-dsb (ours)",
        (SWEEP, "early.silent && over && !io.underWay.mayStore", "early.silent && over"),
    ),
    row(
        "tables-stay",
        "table entries outlive an invalidation",
        "RBS.table+dsb-tlbiis-dsb (ours)",
        (
            SWEEP,
            "io.clear := covered & ~scope.spared(tables)",
            "io.clear := covered & ~tables",
        ),
    ),
    row(
        "lost-swap-counts",
        "a compare-and-swap that was lost counts as won",
        "STRx+SWPptex-lost (ours)",
        (
            WALKER,
            "state := swapWon ? State.step | State.start",
            "state := State.step",
        ),
    ),
    row(
        "clean-entry-answers-writes",
        "a write hits an entry that is writable-clean",
        "STR-DB",
        (
            "rtl/src/granule/tlb/MicroTlb.scala",
            "io.hit := compared.any.orR && !(protects && io.writes)",
            "io.hit := compared.any.orR",
        ),
    ),
]
