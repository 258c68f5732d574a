"""The main job: both experiments at 4K, 16K and 64K on two caches, with the published numbers."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from demo.figures import Figure, split  # noqa: E402
from support import results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "build" / "sw" / "granule.elf"
SIMULATORS = {
    "teaching": ROOT / "build" / "granule-sim",
    "ulx3s": ROOT / "build" / "granule-sim-ulx3s",
}
GRANULES = ("4k", "16k", "64k")
TITLES = {
    "document-002": "Document 002: coloured zero pages",
    "document-000": "Document 000: PTE pages in highmem, and userpte=nohigh",
    "walks": "Walks of the tasks of document 000",
}

# Units of figures that count what must not happen.
COUNTS = ("failures", "violations", "depth", "differences")
STYLES = {"PASS": "green", "DIFF": "yellow"}


@dataclass
class Run:
    """One boot of the firmware and what came of it."""

    configuration: str
    granule: str
    text: list[str]
    figures: list[Figure]
    seconds: float
    status: int
    errors: str


def boot(configuration: str, granule: str) -> Run:
    """Boots the firmware once and collects its console."""
    started = time.monotonic()
    done = subprocess.run(
        [SIMULATORS[configuration], "--append", f"pagesize={granule} run=all", FIRMWARE],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    text, figures = split(done.stdout, configuration)
    seconds = time.monotonic() - started
    return Run(configuration, granule, text, figures, seconds, done.returncode, done.stderr)


def number(value: float) -> str:
    """As many digits as a person compares."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4f}"


def is_invariant(figure: Figure) -> bool:
    """A count of what must not happen; people need to see it only when it happened."""
    return figure.unit in COUNTS and figure.documented == "0" and figure.verdict == "PASS"


def table(document: str, figures: list[Figure]) -> Table:
    """One row a figure and cache, the granules side by side, and the documented value."""
    view = Table(title=TITLES[document], title_justify="left")
    for name in ("id", "what", "cache"):
        view.add_column(name)
    for name in (*GRANULES, "document"):
        view.add_column(name, justify="right")
    for name in ("unit", "kind", "verdict"):
        view.add_column(name)
    rows: dict[tuple[str, str], list[Figure]] = {}
    for f in figures:
        if not is_invariant(f):
            rows.setdefault((f.id, f.configuration), []).append(f)
    for (identity, configuration), row in sorted(rows.items(), key=lambda r: r[0]):
        ours = {f.run: number(f.value) for f in row}
        verdict = max((f.verdict for f in row), key=["PASS", "DIFF", "FAIL"].index)
        view.add_row(
            identity,
            row[0].note,
            configuration,
            *(ours.get(g, "") for g in GRANULES),
            row[0].documented or "",
            row[0].unit,
            "".join(dict.fromkeys(f.kind for f in row)),
            f"[{STYLES.get(verdict, 'red')}]{verdict}[/]",
        )
    kept = sum(map(is_invariant, figures))
    view.caption = f"and {kept} invariants that were checked while it ran, all kept"
    return view


def save(figures: list[Figure]) -> list[Path]:
    """One result file a document."""
    return [
        results.write(
            document,
            configuration=", ".join(SIMULATORS),
            figures=[f.row() for f in figures if f.document == document],
            command="make demo",
        )
        for document in TITLES
    ]


@click.command()
@click.option("--granule", "granules", multiple=True, type=click.Choice(GRANULES), help="only this")
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--quiet", is_flag=True, help="tables only, not the firmware's own console")
def main(granules: tuple[str, ...], jobs: int, quiet: bool) -> None:
    """Boots the firmware at each granule on both caches and compares with the documents."""
    width = None if sys.stdout.isatty() else 132
    console = Console(highlight=False, soft_wrap=True, width=width, record=True)
    todo = [(c, g) for g in granules or GRANULES for c in SIMULATORS]
    runs: list[Run] = []
    console.print(f"booting the firmware {len(todo)} times, {jobs} at once")
    with ThreadPoolExecutor(jobs) as pool:
        for index, run in enumerate(pool.map(lambda job: boot(*job), todo), start=1):
            runs.append(run)
            head = f"[{index}/{len(todo)}] {run.configuration}, granule {run.granule}"
            console.print(f"[bold]{head.replace('[', chr(92) + '[', 1)}[/]: {run.seconds:.1f} s")
            if not quiet:
                for line in run.text:
                    console.print("  " + line, markup=False)
            speed = run.errors.strip().splitlines()
            if speed:
                console.print("  " + speed[-1], markup=False, style="dim")
    figures = [f for run in runs for f in run.figures]
    for document in TITLES:
        console.print(table(document, [f for f in figures if f.document == document]))
    walks = [f.row() for f in figures if f.document == "walks"]
    results.attach("walk", "workloads", walks)
    for path in save(figures):
        console.print(f"written: {path.relative_to(ROOT)}")

    bad_runs = [r for r in runs if r.status != 0]
    bad = [f for f in figures if f.verdict not in STYLES]
    different = [f for f in figures if f.verdict == "DIFF"]
    for run in bad_runs:
        console.print(f"[red]{run.configuration} {run.granule} ended with status {run.status}[/]")
    silent = {t for t in TITLES if not any(f.document == t for f in figures)}
    for document in silent:
        console.print(f"[red]no figure came for {document}[/]")
    console.print(
        f"{len(figures)} figures, {len(bad)} failed, {len(different)} of another size than printed"
    )
    console.save_text(str(ROOT / "build" / "demo.txt"))
    sys.exit(1 if bad_runs or bad or silent else 0)


if __name__ == "__main__":
    main()
