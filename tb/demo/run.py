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
from demo import series, view  # noqa: E402
from demo.figures import Figure, once, probes, split  # noqa: E402
from support import results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "build" / "sw" / "granule.elf"
SIMULATORS = {
    "teaching": ROOT / "build" / "granule-sim",
    "ulx3s": ROOT / "build" / "granule-sim-ulx3s",
}

# Wide enough for a file to have every row on one line.
FILE_WIDTH = 190
STYLES = {"PASS": "green", "DIFF": "yellow"}


@dataclass
class Run:
    """One boot of the firmware and what came of it."""

    configuration: str
    granule: str
    text: list[str]
    figures: list[Figure]
    curves: list[dict]
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
    text, curves = series.take(text, configuration)
    seconds = time.monotonic() - started
    return Run(configuration, granule, text, figures, curves, seconds, done.returncode, done.stderr)


def table(document: str, figures: list[Figure]) -> Table:
    """What was measured for one document, beside what was expected."""
    shown = Table(title=view.TITLES[document], title_justify="left", caption_justify="left")
    for name in view.COLUMNS:
        numeric = name in (*view.GRANULES, "document", "model", "times")
        shown.add_column(name, justify="right" if numeric else "left", no_wrap=name != "what")
    for row in view.rows(figures):
        style = STYLES.get(row["verdict"], "red")
        row["verdict"] = f"[{style}]{row['verdict']}[/]"
        shown.add_row(*(row[name] for name in view.COLUMNS))
    shown.caption = view.kept(figures) or None
    return shown


def save(figures: list[Figure], loops: list[dict]) -> list[Path]:
    """One result file a document; that of document 002 with its loops."""
    paths = [
        results.write(
            document,
            configuration=", ".join(SIMULATORS),
            figures=[f.row() for f in figures if f.document == document],
            command="make demo",
        )
        for document in view.TITLES
    ]
    results.attach("document-002", "probes", loops)
    return paths


@click.command()
@click.option(
    "--granule", "granules", multiple=True, type=click.Choice(view.GRANULES), help="only this"
)
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--quiet", is_flag=True, help="tables only, not the firmware's own console")
def main(granules: tuple[str, ...], jobs: int, quiet: bool) -> None:
    """Boots the firmware at each granule on both caches and compares with the documents."""
    width = None if sys.stdout.isatty() else FILE_WIDTH
    console = Console(highlight=False, soft_wrap=True, width=width, record=True)
    todo = [(c, g) for g in granules or view.GRANULES for c in SIMULATORS]
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
    figures = once([f for run in runs for f in run.figures])
    loops = [p for run in runs for p in probes(run.text, run.configuration, run.granule)]
    for document in view.TITLES:
        console.print(table(document, [f for f in figures if f.document == document]))
    console.print(view.legend(), markup=False)
    for path in save(figures, loops):
        console.print(f"written: {path.relative_to(ROOT)}")
    series.attach([curve for run in runs for curve in run.curves])

    bad_runs = [r for r in runs if r.status != 0]
    bad = [f for f in figures if f.verdict not in STYLES]
    for run in bad_runs:
        console.print(f"[red]{run.configuration} {run.granule} ended with status {run.status}[/]")
    silent = {t for t in view.TITLES if not any(f.document == t for f in figures)}
    for document in silent:
        console.print(f"[red]no figure came for {document}[/]")
    if not loops:
        console.print("[red]no line of document 002's table could be read[/]")
    console.print(view.summary(figures))
    console.save_text(str(ROOT / "build" / "demo.txt"))
    sys.exit(1 if bad_runs or bad or silent or not loops else 0)


if __name__ == "__main__":
    main()
