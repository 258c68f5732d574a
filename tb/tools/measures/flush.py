"""make flush: document 001 on the machine that it was measured on, one with a hashed table of
translations in memory, beside the same machine with that table off, and one with a main TLB."""

from collections.abc import Callable
from typing import NamedTuple

import click

from figures import judge
from figures.catalogue import MEASURED as COUNTED
from figures.catalogue import Entry, of_class
from figures.measure import Boot, Measured, at_once, commit_of, measures
from figures.page import table
from figures.scoreboard import HASHED
from figures.scoreboard import TABLE as WITH
from figures.view import factor, optional

WITHOUT, MAIN = "without it", "main TLB"
MACHINES = {
    WITH: Boot("pagesize=4k htab=on run=e001", HASHED, "sw-hashed"),
    WITHOUT: Boot("pagesize=4k run=e001", HASHED, "sw-hashed"),
    MAIN: Boot("pagesize=4k run=e001", "teaching_main"),
}
POOL = 1024

Values = dict[str, float]


class Line(NamedTuple):
    """One figure: the id under which it is recorded, or what it is; and the id that was measured,
    or how it follows from several. `scans`: only the machine with the table has it."""

    id: str
    what: str
    of: str | Callable[[Values], float]
    scans: bool = False

    def value(self, measured: Values) -> float:
        return measured[self.of] if isinstance(self.of, str) else self.of(measured)


def everything(v: Values) -> float:
    """What Linux did in 2001: it looked at all PTEs of the kernel, if there was a table."""
    return v.get("H1.scan", v["H1.all"])


def page(v: Values) -> float:
    """In the loop."""
    return v["H1.1"] * v["H1.2"] * v["H1.3"]


LINES = (
    Line("H1.1", "", "H1.1"),
    Line("H1.page", "", "H1.page"),
    Line("H1.3", "", "H1.3"),
    Line("H1.loop", "", lambda v: POOL * page(v)),
    Line("H1.range", "the same as one range operation, cycles", "H1.range"),
    Line("H1.scan", "", everything),
    Line("H1.wipe", "", "H1.all", scans=True),
    Line("H1.6", "", lambda v: everything(v) / v["H1.page"]),
    Line("H1.2", "", "H1.2"),
    Line("H1.4", "", lambda v: everything(v) / v["H1.range"]),
    Line("H1.5", "", lambda v: v["H1.all"] / v["H1.range"], scans=True),
    Line("H1.8", "", lambda v: everything(v) / page(v)),
    Line("H1.9", "", "H1.9"),
    Line("H1.10", "", lambda v: everything(v) / (POOL * v["H1.1"])),
    Line("H1.13", "", lambda v: (v["H1.scan"] - v["H1.range"]) / (v["H1.scanned"] - POOL),
         scans=True),
    Line("", "1024 single flushes over one range", lambda v: POOL * v["H1.page"] / v["H1.range"]),
    Line("", "one range over one page", lambda v: v["H1.range"] / v["H1.page"]),
    Line("", "cycles of the MMU for a page", "H1.mmu_page"),
    Line("", "cycles of the MMU for a range", "H1.mmu_range"),
    Line("", "cycles of the MMU for everything", "H1.mmu_all"),
    Line("", "PTEs of the kernel that a scan looks at", "H1.scanned", scans=True),
    Line("", "bytes of the hashed table", "H1.table", scans=True),
)  # fmt: skip
# Of the lines that are no figures of the catalogue, what the document says.
PUBLISHED = {LINES[-2].what: 262144.0, LINES[-1].what: 4194304.0}


def entry_of(identity: str) -> Entry | None:
    """The row of the catalogue that a recorded figure is judged by."""
    mine = (e for e in of_class(COUNTED, "derived") if e.document == "001" and e.ours == identity)
    return next(mine, None)


def row(line: Line, measured: dict[str, Values]) -> dict:
    """What is recorded of a line: the value of each machine."""
    ours = {name: line.value(v) for name, v in measured.items() if name == WITH or not line.scans}
    e = entry_of(line.id)
    return {"id": line.id, "what": e.what if e else line.what, "ours": ours}


def verdict(e: Entry, rows: list[dict]) -> str:
    """Of a row of the count, on the machine with the table."""
    if e.cls != COUNTED:
        return ""
    ours = {r["id"]: r["ours"][WITH] for r in rows}
    other = next((x for x in of_class(COUNTED) if x.id == e.beside), None)
    beside = (ours[other.ours], other.published) if other else None
    return judge.verdict(ours[e.ours], e, beside)


def cells(row: dict, rows: list[dict]) -> tuple[str, ...]:
    ours, e = row["ours"], entry_of(row["id"])
    published = e.published if e else PUBLISHED.get(row["what"])
    times = judge.times(ours[WITH], e) if e else None
    said = verdict(e, rows) if e else ""
    theirs, mine, *others = map(optional, (published, *map(ours.get, MACHINES)))
    return (e.id if e else "", row["what"], theirs, mine, factor(times), *others, said)


def lines(rows: list[dict]) -> str:
    head = ("", "what", "document", WITH, "times", WITHOUT, MAIN, "verdict")
    return table(head, (cells(row, rows) for row in rows), "llrrrrrl")


def section(recorded: dict) -> str:
    return f"{lines(recorded['figures'])}\n\n{commit_of(recorded)}"


MEASURED = Measured(
    "flush", "make flush", f"{HASHED}, teaching_main", {("docs/hashed-table.md", "flush"): section}
)


@measures(MEASURED, jobs=len(MACHINES))
def main(jobs: int) -> list[dict]:
    """Boot experiment e001 with the hashed table, without it, and with a main TLB."""
    click.echo(f"booting experiment e001 on {len(MACHINES)} machines, about three minutes")
    values = at_once(jobs, Boot.values, MACHINES.values())
    measured = dict(zip(MACHINES, values, strict=True))
    rows = [row(line, measured) for line in LINES]
    click.echo(lines(rows))
    return rows
