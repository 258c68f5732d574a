"""Seeded defects that must show as an end which the model of a litmus shape does not have. The
killer is the shape."""

from campaigns.mutants.mutant import Mutant

WALKER = "rtl/src/granule/walk/Walker.scala"


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
]
