"""Why code that chooses its page size at boot is larger: the two images function by function.

Both are compiled from the same sources, so a function of one has its twin in the other. Counted are
the instructions of the objects, as in H3.2, and what kinds of them are more or fewer."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import click
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from figures.page import table
from support.run import ROOT
from tools.images.compare import BOOT, FILES, sizes_of
from tools.images.elf import TRAPPING

# Parts of one function that the compiler made into several.
CLONE = re.compile(r"\.(part|isra|constprop|cold)(\.\d+)?$")
FIXED = "sw-fixed-4k"  # folder of build/
CHOICE, REST = "makes the choice", "everything else"
PARTS = {"memory management, files": ("mm", "fs"), "experiments": ("experiments",)}
LARGEST = 12
NO_FUNCTION = "(no function)"

PATCHED, UPPER, ARITHMETIC = "patched", "upper immediates", "arithmetic"
JUMPS, MEMORY, OTHERS = "branches, calls", "loads, stores", "others"
KINDS = (PATCHED, UPPER, ARITHMETIC, JUMPS, MEMORY, OTHERS)
BY_OPCODE = {
    **dict.fromkeys(TRAPPING, PATCHED),
    **dict.fromkeys((0x37, 0x17), UPPER),
    **dict.fromkeys((0x13, 0x33), ARITHMETIC),
    **dict.fromkeys((0x63, 0x6F, 0x67), JUMPS),
    **dict.fromkeys((0x03, 0x23), MEMORY),
}


def kind(word: int) -> str:
    return BY_OPCODE.get(word & 0x7F, OTHERS)


Functions = dict[str, Counter]  # instructions of each function, by kind


def functions(path: Path) -> Functions:
    """The instructions of an object; those of assembly without a size count as no function's."""
    found: dict[str, Counter] = {}
    with path.open("rb") as file:
        elf = ELFFile(file)
        symbols = list(elf.get_section_by_name(".symtab").iter_symbols())
        for index, section in enumerate(elf.iter_sections()):
            if not section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                continue
            code = section.data()
            names = [NO_FUNCTION] * (len(code) // 4)
            for s in symbols:
                if s["st_info"]["type"] == "STT_FUNC" and s["st_shndx"] == index:
                    first, end = s["st_value"] // 4, (s["st_value"] + s["st_size"]) // 4
                    names[first:end] = [CLONE.sub("", s.name)] * (end - first)
            for i, name in enumerate(names):
                word = int.from_bytes(code[4 * i : 4 * i + 4], "little")
                found.setdefault(name, Counter())[kind(word)] += 1
    return found


@dataclass(frozen=True)
class Difference:
    """One function in both images: instructions by kind. None of them where it does not exist."""

    source: str
    name: str
    boot: Counter
    fixed: Counter

    @property
    def more(self) -> int:
        return self.boot.total() - self.fixed.total()

    def __add__(self, other: "Difference") -> "Difference":
        return Difference(self.source, "", self.boot + other.boot, self.fixed + other.fixed)

    def cells(self) -> tuple[str, ...]:
        kinds = (f"{self.boot[k] - self.fixed[k]:+d}" for k in KINDS)
        return f"{self.boot.total():,}", f"{self.fixed.total():,}", f"{self.more:+d}", *kinds


def compared(boot: dict[str, Functions], fixed: dict[str, Functions]) -> list[Difference]:
    """Every function of either image. One that the compiler made in one image only, and has put
    into its callers in the other, cannot be told from them: then a row is the whole file."""
    rows, none = [], Counter()
    for source in sorted(boot.keys() | fixed.keys()):
        ours, theirs = boot.get(source, {}), fixed.get(source, {})
        of_file = [
            Difference(source, name, ours.get(name, none), theirs.get(name, none))
            for name in sorted(ours.keys() | theirs.keys())
        ]
        rows += of_file if ours.keys() == theirs.keys() else [replace(total(of_file), name="")]
    return rows


def total(rows: list[Difference]) -> Difference:
    return sum(rows[1:], rows[0])


def part_of(source: str) -> str:
    """The row of the first table in which a source file is counted."""
    if any(PurePath(source).match(pattern) for pattern in FILES):
        return CHOICE
    folder = PurePath(source).parts[0]
    return next((part for part, folders in PARTS.items() if folder in folders), REST)


def by_part(rows: list[Difference]) -> dict[str, Difference]:
    """Sums in the order of the table, of all last."""
    parts = {
        part: [r for r in rows if part_of(r.source) == part] for part in (CHOICE, *PARTS, REST)
    }
    return {part: total(mine) for part, mine in parts.items() if mine} | {"all": total(rows)}


def image(name: str) -> dict[str, Functions]:
    if not (sources := sizes_of(name)):
        raise click.ClickException(f"build/{name} holds no objects; run make images")
    return {s: functions(ROOT / "build" / name / f"{s}.o") for s in sources}


def tables() -> tuple[str, str]:
    """By part of the sources, and the largest differences."""
    rows = compared(image(BOOT), image(FIXED))
    of_all = total(rows).fixed.total()
    counts = ("chosen at boot", "fixed at 4K", "more")
    parts = []
    for part, sums in by_part(rows).items():
        ours, theirs, more, *kinds = sums.cells()
        parts.append((part, ours, theirs, more, f"{100 * sums.more / of_all:.2f} %", *kinds))
    largest = sorted(rows, key=lambda row: -abs(row.more))[:LARGEST]
    lines = [(f"`{row.source}` {row.name}".strip(), *row.cells()) for row in largest]
    return (
        table(("instructions", *counts, "of all", *KINDS), parts),
        table(("function", *counts, *KINDS), lines),
    )
