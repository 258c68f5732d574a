"""What the translation vectors are and who answered them, as tables for docs/sources.md and
tb/data/vectors/README.md. Every number is counted in the files; `run.py vectors` writes both."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from figures.page import put, table
from model import vectors
from model.access import Kind
from support.configurations import conformance_configs
from support.root import ROOT

VECTORS = ROOT / "tb" / "data" / "vectors"
SOURCES = ROOT / "docs" / "sources.md"
README = VECTORS / "README.md"
# By the first word of a file's name: who answered, in a sentence and in a table.
AUTHORITIES = {
    "vmsa64": ("QEMU 7.2", "QEMU 7.2, `-cpu max`: AT S1E{0,1}{R,W}, PAR_EL1"),
    "arm": (
        "Arm's machine-readable architecture",
        "Arm's machine-readable architecture: A-profile, Armv9.4-A, 2023-03; where DDI 0487 M.a.a "
        "says otherwise, that",
    ),
    "spike": ("Spike", "Spike, no version named: PA, kind of fault, number of PTE reads"),
}
KINDS = {Kind.READ: "read", Kind.WRITE: "write", Kind.EXECUTE: "fetch", Kind.ATOMIC: "atomic"}


@dataclass(frozen=True)
class Counted:
    path: Path
    file: vectors.VectorFile

    @property
    def authority(self) -> str:
        return self.path.name.split("-")[0]

    @property
    def has(self) -> str:
        """Kinds of accesses, and what else its checks and states hold."""
        checks = [check for case in self.file.cases for check in case.checks]
        registers = [case.registers for case in self.file.cases]
        kinds = [name for kind, name in KINDS.items() if any(c.kind is kind for c in checks)]
        more = {
            "PAN": any(c.pan for c in checks),
            "MXR": any(c.mxr for c in checks),
            "bus errors": any(case.errors for case in self.file.cases),
            "updates": any(c.changed for c in checks),
            "D128": any(r.tcr2 >> 5 & 1 for r in registers),
            "PIE": any(r.tcr2 >> 1 & 1 for r in registers),
        }
        return ", ".join([*kinds, *(name for name, there in more.items() if there)])


@cache
def counted() -> tuple[Counted, ...]:
    return tuple(Counted(p, vectors.read(p)) for p in sorted(VECTORS.glob("*.json.gz")))


def by_authority() -> dict[str, int]:
    """Checks that each answered, under its short name."""
    sums = dict.fromkeys(AUTHORITIES, 0)
    for one in counted():
        sums[one.authority] += one.file.checks
    return {AUTHORITIES[name][0]: checks for name, checks in sums.items()}


def evidence() -> str:
    """Of docs/sources.md: an authority's files, their checks, and where they are played."""
    rows = []
    for one in counted():
        name, checks = f"`{one.path.name.removesuffix('.json.gz')}`", f"{one.file.checks:,}"
        where = ", ".join(f"`{config}`" for config in conformance_configs(one.file.features))
        rows.append([AUTHORITIES[one.authority][1], name, checks, one.has, where])
    total = sum(one.file.checks for one in counted())
    rows.append(["", "all", f"{total:,}", "", ""])
    head = ("answered by", "file", "checks", "accesses and states", "played on")
    return table(head, rows, tight=True)


def listing() -> str:
    rows = [
        (f"`{one.path.name}`", ", ".join(one.file.feature_names),
         f"{len(one.file.cases):,}", f"{one.file.checks:,}")
        for one in counted()
    ]  # fmt: skip
    return table(("File", "For a walker with", "Cases", "Checks"), rows, tight=True)


def pages() -> dict[Path, str]:
    shown = {SOURCES: evidence(), README: listing()}
    return {page: put(page.read_text(), "vectors", text) for page, text in shown.items()}


def main() -> None:
    for page, text in pages().items():
        page.write_text(text)
        print(f"written: {page.relative_to(ROOT)}")
