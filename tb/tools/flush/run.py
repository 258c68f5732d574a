"""make flush: document 001 on the machine that it was measured on, one with a hashed table of
translations in memory, beside the same machine with that table off."""

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
from figures.catalogue import entry  # noqa: E402
from figures.figures import Figure, split  # noqa: E402
from figures.view import number  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402

SIMULATOR = ROOT / "build" / "granule-sim-teaching_hashed"
FIRMWARE = ROOT / "build" / "sw-hashed" / "granule.elf"
PAGE = ROOT / "docs" / "hashed-table.md"
COPY = ROOT / "docs" / "data" / "flush.json"
BEGIN, END = "<!-- flush begin: written by make flush -->\n", "<!-- flush end -->"
WITH, WITHOUT = "with the table", "without it"
BOOTS = {WITH: "pagesize=4k htab=on run=e001", WITHOUT: "pagesize=4k run=e001"}
POOL = 1024

Values = dict[str, float]


class Failed(click.ClickException):
    """A boot failed; says which, and how it ended."""


@dataclass(frozen=True)
class Line:
    """One figure: its id in the catalogue, or what it is; and how it follows from what was
    measured. `scans`: only the machine with the table has it."""

    id: str
    what: str
    of: Callable[[Values], float]
    scans: bool = False


def everything(v: Values) -> float:
    """What Linux did in 2001: it looked at all PTEs of the kernel, if there was a table."""
    return v.get("H1.scan", v["H1.all"])


def page(v: Values) -> float:
    return v["H1.1"] * v["H1.2"] * v["H1.3"]


LINES = (
    Line("H1.1", "", lambda v: v["H1.1"]),
    Line("", "flush of one accessed page, cycles", lambda v: v["H1.page"]),
    Line("H1.2", "", lambda v: v["H1.2"]),
    Line("", "flush of 1024 pages as a range, cycles", lambda v: v["H1.range"]),
    Line("H1.3", "", lambda v: v["H1.3"]),
    Line("", "flush of everything, cycles", everything),
    Line("H1.4", "", lambda v: everything(v) / v["H1.range"]),
    Line("H1.5", "", lambda v: v["H1.all"] / v["H1.range"], scans=True),
    Line("H1.6", "", lambda v: float(everything(v) > POOL * v["H1.page"])),
    Line("H1.8", "", lambda v: everything(v) / page(v)),
    Line("H1.9", "", lambda v: v["H1.9"]),
    Line("H1.10", "", lambda v: everything(v) / (POOL * v["H1.1"])),
    Line("H1.13", "", lambda v: (v["H1.scan"] - v["H1.range"]) / (v["H1.scanned"] - POOL),
         scans=True),
    Line("", "PTEs of the kernel that a scan looks at", lambda v: v["H1.scanned"], scans=True),
    Line("", "bytes of the hashed table", lambda v: v["H1.table"], scans=True),
)  # fmt: skip
# Of the lines that are no figures of the catalogue, what the document says (400 MHz).
PUBLISHED = {
    LINES[1].what: 399.4,
    LINES[3].what: 432000.0,
    LINES[5].what: 1312000.0,
    LINES[13].what: 262144.0,
    LINES[14].what: 4194304.0,
}


def boot(name: str) -> list[Figure]:
    done = subprocess.run(
        [SIMULATOR, "--quiet", "--append", BOOTS[name], FIRMWARE],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{name}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return split(done.stdout, name)[1]


def cells(line: Line, measured: dict[str, Values]) -> tuple[str, ...]:
    e = entry(line.id) if line.id else None
    published = e.published if e else PUBLISHED.get(line.what)
    ours = {name: line.of(v) for name, v in measured.items() if name == WITH or not line.scans}
    verdict = judge.verdict(ours[WITH], e, "4k") if e else ""
    times = ours[WITH] / published if published else None
    shown = (published, ours[WITH], times, ours.get(WITHOUT))
    return (line.id, e.what if e else line.what, *("" if x is None else number(x) for x in shown),
            verdict)  # fmt: skip


def table(measured: dict[str, Values]) -> str:
    head = ("", "what", "document", WITH, "times", WITHOUT, "verdict")
    rows = [head, ("---", "---", *("--:",) * 4, "---")]
    rows += [cells(line, measured) for line in LINES]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


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
    """Boot experiment e001 with the hashed table and without it."""
    click.echo(f"booting experiment e001 twice on {SIMULATOR.name}, about three minutes")
    with ThreadPoolExecutor() as pool:
        booted = dict(zip(BOOTS, pool.map(boot, BOOTS), strict=True))
    measured = {name: {f.id: f.value for f in figures} for name, figures in booted.items()}
    click.echo(table(measured))
    path = results.write("flush", "teaching_hashed", measured, command="make flush")
    publish(json.loads(path.read_text()))


if __name__ == "__main__":
    main()
