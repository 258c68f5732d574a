"""make flush: document 001 on the machine that it was measured on, one with a hashed table of
translations in memory, beside the same machine with that table off, and one with a main TLB."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import judge  # noqa: E402
from figures.catalogue import MEASURED, Entry, of_class  # noqa: E402
from figures.scoreboard import FLUSH as COPY  # noqa: E402
from figures.scoreboard import HASHED  # noqa: E402
from figures.scoreboard import TABLE as WITH  # noqa: E402
from figures.view import factor, number  # noqa: E402
from granule.figures import Figure, split  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402

PAGE = ROOT / "docs" / "hashed-table.md"
BEGIN, END = "<!-- flush begin: written by make flush -->\n", "<!-- flush end -->"
WITHOUT, MAIN = "without it", "main TLB"


@dataclass(frozen=True)
class Machine:
    """A configuration, an image of the firmware, and what that is booted with."""

    configuration: str
    image: str
    append: str


MACHINES = {
    WITH: Machine(HASHED, "sw-hashed", "pagesize=4k htab=on run=e001"),
    WITHOUT: Machine(HASHED, "sw-hashed", "pagesize=4k run=e001"),
    MAIN: Machine("teaching_main", "sw", "pagesize=4k run=e001"),
}
POOL = 1024

Values = dict[str, float]


class Failed(click.ClickException):
    """A boot failed; says which, and how it ended."""


@dataclass(frozen=True)
class Line:
    """One figure: the id under which it is recorded, or what it is; and how it follows from what
    was measured. `scans`: only the machine with the table has it."""

    id: str
    what: str
    of: Callable[[Values], float]
    scans: bool = False

    @property
    def key(self) -> str:
        return self.id or self.what


def everything(v: Values) -> float:
    """What Linux did in 2001: it looked at all PTEs of the kernel, if there was a table."""
    return v.get("H1.scan", v["H1.all"])


def page(v: Values) -> float:
    """In the loop."""
    return v["H1.1"] * v["H1.2"] * v["H1.3"]


LINES = (
    Line("H1.1", "", lambda v: v["H1.1"]),
    Line("H1.page", "", lambda v: v["H1.page"]),
    Line("H1.3", "", lambda v: v["H1.3"]),
    Line("H1.loop", "", lambda v: POOL * page(v)),
    Line("H1.range", "the same as one range operation, cycles", lambda v: v["H1.range"]),
    Line("H1.scan", "", everything),
    Line("H1.wipe", "", lambda v: v["H1.all"], scans=True),
    Line("H1.6", "", lambda v: everything(v) / v["H1.page"]),
    Line("H1.2", "", lambda v: v["H1.2"]),
    Line("H1.4", "", lambda v: everything(v) / v["H1.range"]),
    Line("H1.5", "", lambda v: v["H1.all"] / v["H1.range"], scans=True),
    Line("H1.8", "", lambda v: everything(v) / page(v)),
    Line("H1.9", "", lambda v: v["H1.9"]),
    Line("H1.10", "", lambda v: everything(v) / (POOL * v["H1.1"])),
    Line("H1.13", "", lambda v: (v["H1.scan"] - v["H1.range"]) / (v["H1.scanned"] - POOL),
         scans=True),
    Line("", "1024 single flushes over one range", lambda v: POOL * v["H1.page"] / v["H1.range"]),
    Line("", "one range over one page", lambda v: v["H1.range"] / v["H1.page"]),
    Line("", "cycles of the MMU for a page", lambda v: v["H1.mmu_page"]),
    Line("", "cycles of the MMU for a range", lambda v: v["H1.mmu_range"]),
    Line("", "cycles of the MMU for everything", lambda v: v["H1.mmu_all"]),
    Line("", "PTEs of the kernel that a scan looks at", lambda v: v["H1.scanned"], scans=True),
    Line("", "bytes of the hashed table", lambda v: v["H1.table"], scans=True),
)  # fmt: skip
# Of the lines that are no figures of the catalogue, what the document says.
PUBLISHED = {LINES[-2].what: 262144.0, LINES[-1].what: 4194304.0}


def entry_of(identity: str) -> Entry | None:
    """The row of the catalogue that a recorded figure is judged by."""
    mine = (e for e in of_class(MEASURED, "derived") if e.document == "001" and e.ours == identity)
    return next(mine, None)


def boot(name: str) -> list[Figure]:
    machine, build = MACHINES[name], ROOT / "build"
    simulator = build / f"granule-sim-{machine.configuration}"
    firmware = build / machine.image / "granule.elf"
    done = subprocess.run(
        [simulator, "--quiet", "--append", machine.append, firmware],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{name}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return split(done.stdout, name)[1]


def row(line: Line, measured: dict[str, Values]) -> dict:
    """What is recorded of a line: the value of each machine."""
    ours = {name: line.of(v) for name, v in measured.items() if name == WITH or not line.scans}
    e = entry_of(line.id)
    return {"id": line.id, "what": e.what if e else line.what, "ours": ours}


def verdict(e: Entry, rows: list[dict]) -> str:
    """Of a row of the count, on the machine with the table."""
    if e.cls != MEASURED:
        return ""
    ours = {r["id"]: r["ours"][WITH] for r in rows}
    other = next((x for x in of_class(MEASURED) if x.id == e.beside), None)
    beside = (ours[other.ours], other.published) if other else None
    return judge.verdict(ours[e.ours], e, beside)


def cells(row: dict, rows: list[dict]) -> tuple[str, ...]:
    ours, e = row["ours"], entry_of(row["id"])
    published = e.published if e else PUBLISHED.get(row["what"])
    times = judge.times(ours[WITH], e) if e else None
    shown = (published, ours[WITH]), (ours.get(WITHOUT), ours.get(MAIN))
    left, right = (["" if x is None else number(x) for x in pair] for pair in shown)
    said = verdict(e, rows) if e else ""
    return (e.id if e else "", row["what"], *left, factor(times), *right, said)


def table(rows: list[dict]) -> str:
    lines = [
        ("", "what", "document", WITH, "times", WITHOUT, MAIN, "verdict"),
        ("---", "---", *("--:",) * 5, "---"),
        *(cells(row, rows) for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def section(recorded: dict) -> str:
    """What stands between the marks of docs/hashed-table.md."""
    return f"{table(recorded['figures'])}\nCommit {recorded['commit']}.\n"


def with_section(text: str, recorded: dict) -> str:
    before, rest = text.split(BEGIN)
    return before + BEGIN + section(recorded) + END + rest.split(END)[1]


def publish(found: dict) -> None:
    recorded = {key: found[key] for key in ("commit", "command", "figures")}
    COPY.write_text(json.dumps(recorded, indent=1) + "\n")
    PAGE.write_text(with_section(PAGE.read_text(), recorded))
    click.echo(f"written: {COPY.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


@click.command()
def main() -> None:
    """Boot experiment e001 with the hashed table, without it, and with a main TLB."""
    click.echo(f"booting experiment e001 on {len(MACHINES)} machines, about three minutes")
    with ThreadPoolExecutor() as pool:
        booted = dict(zip(MACHINES, pool.map(boot, MACHINES), strict=True))
    measured = {name: {f.id: f.value for f in figures} for name, figures in booted.items()}
    rows = [row(line, measured) for line in LINES]
    click.echo(table(rows))
    path = results.write("flush", "teaching_hashed, teaching_main", rows, command="make flush")
    publish(json.loads(path.read_text()))


if __name__ == "__main__":
    main()
