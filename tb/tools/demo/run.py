"""The main job: the documents' experiments at 4K, 16K and 64K on two caches, with the published
numbers beside ours."""

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from figures import boots, judge, rows, scoreboard, view
from figures.boots import SIMULATORS
from figures.catalogue import ARITHMETIC, INVARIANT
from figures.measure import Boot
from figures.rows import FAILED, Row, recorded
from figures.scoreboard import Line
from granule import simulator
from support import results
from support.root import ROOT
from tools.images.compare import counted

FIRMWARE = ROOT / "build" / "sw" / "granule.elf"

# Wide enough for a file to have every row on one line.
FILE_WIDTH = 240
STYLES = {
    **{judge.NEAR: "green", judge.AGREES: "green", judge.SAME: "yellow"},
    **{judge.OPPOSITE: "red", judge.INCOMPARABLE: "cyan", judge.HOLDS: "dim", FAILED: "red"},
}
NUMBERS = (*view.GRANULES, "published", "ours", "model", "times")
# What is wide, or does not fit a narrow terminal; docs/figures.md and the report have it.
LEFT_OUT = ("spread",)
NARROW_LEFT_OUT = (*LEFT_OUT, "model", "times", "unit")
BOARD_LEFT_OUT = ("the text",)
NARROW_BOARD_LEFT_OUT = (*BOARD_LEFT_OUT, "remarks", "unit", "machine")
WIDE = 180
WHOLE = (*view.GRANULES, "id", "verdict")  # others fold where a line is full


# All granules in one boot, so no part of run=all.
SIZES = Boot("pagesize=4k run=e005")


class Run(NamedTuple):
    granule: str
    seconds: float
    done: simulator.Run


def boot(configuration: str, granule: str) -> Run:
    started = time.monotonic()
    arguments = f"pagesize={granule} run=all"
    done = simulator.run(FIRMWARE, arguments, simulator=SIMULATORS[configuration])
    _ = done.figures  # raises now, not after all boots, when the console is damaged
    return Run(granule, time.monotonic() - started, done)


def compared() -> list[boots.Boot]:
    """The experiments that compare images; they are not part of run=all."""
    every = boots.all_places(list(boots.plans().values()))
    return [b for b in every if b.placement == 0 and b.in_demo]


def boot_all(
    full: bool, jobs: int, show: Callable[[int, Run], None]
) -> tuple[list[Run], list[boots.Outcome], str]:
    """Boots everything, `jobs` at once; `show` sees each run=all with its number. The longest come
    first and the pairs of images last, so that no core idles while the last one ends. The line is
    that of e005."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        booting = [pool.submit(boot, *job) for job in boots.planned(full)]
        pairs = [pool.submit(boots.run, pair, Path(folder)) for pair in compared()]
        together = pool.submit(SIZES.values)
        runs = []
        for ended in booting:
            runs.append(ended.result())
            show(len(runs), runs[-1])
        return runs, [ended.result() for ended in pairs], sizes(together.result())


def sizes(values: dict[str, float]) -> str:
    walks = ", ".join(f"{view.number(values[f'G.walks.{g}'])} at {g}" for g in view.GRANULES)
    return (
        f"A page size for each process (e005): walks of 4,096 reads at random: {walks}. "
        "docs/page-size.md has what else a size gains and wastes"
    )


def as_table(title: str, lines: list[dict[str, str]], left_out: tuple[str, ...]) -> Table:
    shown = Table(title=title, title_justify="left", caption_justify="left")
    columns = view.columns(lines, left_out)
    for name in columns:
        justify = "right" if name in NUMBERS else "left"
        shown.add_column(
            name, justify=justify, no_wrap=name in WHOLE, overflow="fold", min_width=len(name)
        )
    for row in lines:
        style = STYLES.get(row["verdict"], "dim")
        said = {**row, "verdict": f"[{style}]{row['verdict']}[/]"}
        shown.add_row(*(said[name] for name in columns))
    return shown


def table(title: str, measured: list[Row], width: int) -> Table:
    """What was measured for one document. `width`: of the terminal."""
    left_out = LEFT_OUT if width >= WIDE else NARROW_LEFT_OUT
    shown = as_table(title, view.lines(measured), left_out)
    shown.caption = view.kept(measured) or None
    return shown


def board_table(judged: list[Line], width: int) -> Table:
    """What the texts measured, beside ours."""
    left_out = BOARD_LEFT_OUT if width >= WIDE else NARROW_BOARD_LEFT_OUT
    cells = [view.cells(row) for row in judged if row.counted]
    shown = as_table("What the five texts measured, beside ours", cells, left_out)
    shown.caption = "\n".join(view.sources(judged)) or "All measured by this run."
    return shown


def save(measured: list[Row], curves: list[dict], command: str) -> list[Path]:
    caches, paths = ", ".join(SIMULATORS), []
    for document, name in view.FILES.items():
        rows = [row.as_json() for row in measured if row.document == document]
        series = [curve for curve in curves if curve["document"] == name]
        paths.append(results.write(name, caches, rows, command=command, series=series))
    return paths


def errors(runs: list[Run], measured: list[Row], judged: list[Line]) -> list[str]:
    bad = ((run.done, run.granule) for run in runs if not run.done.ok)
    found = [
        f"{done.configuration} {granule} ended with status {done.status}" for done, granule in bad
    ]
    found += [f"{row.id} {row.configuration} FAIL" for row in measured if row.verdict == FAILED]
    found += [f"{row.entry.id} {judge.FAILS}" for row in judged if row.verdict == judge.FAILS]
    why = "and docs/data/published.toml gives no reason"
    owing = scoreboard.unexplained(judged)
    found += [f"{row.entry.id} is {row.verdict}, {why}" for row in owing]
    there = {row.document for row in measured}
    return found + [f"no figure came for document {n}" for n in view.TITLES if n not in there]


def beside_the_record(judged: list[Line]) -> str:
    verdicts = {row.entry.id: row.verdict for row in judged}
    other = scoreboard.differing(scoreboard.lines(), verdicts)
    said = "; ".join(other) if other else "the same verdicts"
    return f"README, of commit {recorded()[1]}: {said}"


@click.command()
@click.option("--full", is_flag=True, help="both caches at every granule")
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
def main(full: bool, jobs: int) -> None:
    """Boots the firmware at each granule, at 4K on both caches, and compares with the documents."""
    width = None if sys.stdout.isatty() else FILE_WIDTH
    console = Console(highlight=False, soft_wrap=True, width=width, record=True)
    number_of_all = len(boots.planned(full))
    console.print(
        f"booting the firmware {number_of_all} times, {jobs} at once, then the images that are "
        "compared with each other"
    )

    def show(number: int, run: Run) -> None:
        head = f"[{number}/{number_of_all}] {run.done.configuration}, granule {run.granule}"
        console.print(f"[bold]{escape(head)}[/]: {run.seconds:.1f} s")
        for line in run.done.text.splitlines():
            console.print("  " + line, markup=False)
        speed = run.done.cycles / run.seconds
        console.print(f"  {run.done.cycles:,} cycles, {speed:,.0f} a second", style="dim")

    runs, others, together = boot_all(full, jobs, show)
    figures = [f for run in runs for f in run.done.figures.values()]
    figures += [f for ended in others for f in ended.figures]
    measured = rows.rows([*figures, *counted()])
    judged = scoreboard.lines(measured)
    constructed = scoreboard.lines(measured, ARITHMETIC, INVARIANT)
    for document, title in view.TITLES.items():
        mine = [row for row in measured if row.document == document]
        shown = table(title, mine, console.width)
        console.print(shown if shown.row_count else f"{title}\n{view.kept(mine)}")
    console.print(board_table(judged, console.width))
    console.print(judge.rule(), markup=False)
    console.print(together, markup=False)
    curves = [c for ran in (*(run.done for run in runs), *others) for c in ran.curves]
    command = results.FULL_DEMO if full else "make demo"
    for path in save(measured, curves, command):
        console.print(f"written: {path.relative_to(ROOT)}")
    bad = errors(runs, measured, [*judged, *constructed])
    for line in bad:
        console.print(line, markup=False, style="red")
    console.print(rows.summary(measured), markup=False)
    console.print(scoreboard.summary(judged), markup=False)
    console.print(beside_the_record(judged), markup=False)
    console.save_text(str(ROOT / "build" / "demo.txt"))
    click.echo("make report makes one page of it for people, build/report.html")
    sys.exit(1 if bad else 0)
