"""`make twin`: the MMU of another commit and today's get the same commands, and say the same.

Exit status: 0 they do, on every unit that both have; 1 not so.
"""

import multiprocessing
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import click

from campaigns.twin.base import commit_of, programs, verilog_of
from campaigns.twin.pair import Pair
from campaigns.twin.parts import Part, every
from support.configurations import CONFIGURATIONS
from support.seed import drawn

UNITS = (*(f"mmu:{config}" for config in CONFIGURATIONS),
         *(f"mmuip:{config}" for config in ("teaching", "teaching_dma", "wide")))  # fmt: skip
# Those with an option around the core: it answers in the same order, in cycles of its own.
WRAPPED = frozenset(
    f"{top}:{config}"
    for top in ("mmu", "mmuip")
    for config in ("teaching", "teaching_dma", "teaching_main", "ulx3s", "ulx3s_main")  # PMP
)
SHARE = 5  # of the commands of a unit, each campaign plays such a part; soak what is left


def built(pool, commit: str, there: dict[str, Path]) -> list[tuple]:
    return pool.starmap(programs, [(commit, *row) for row in there.items()], 1)


def play(pool, pair: Pair, seed: int, commands: int, jobs: int) -> tuple[Counter, list[str]]:
    """Commands by campaign, and what is wrong; then nothing more is played."""
    done: Counter = Counter()
    wrong: list[str] = []
    for campaign, parts in every(pair, seed):
        share = max(commands // SHARE, commands - done.total() if campaign == "soak" else 0)
        while not wrong and done[campaign] < share and (some := list(islice(parts, 4 * jobs))):
            for part in pool.imap_unordered(Part.play, some):
                done[campaign] += part.commands
                wrong += part.wrong
    return done, wrong


@click.command()
@click.option("--base", required=True, help="commit or tag")
@click.option("--unit", "units", multiple=True, default=UNITS, show_default=True)
@click.option("--commands", default=10_000_000, show_default=True, help="of each unit, at least")
@click.option("--cycles/--order", default=True, show_default=True, help="what is compared")
@click.option("--seed", type=int, default=None, help="default: a new one")
@click.option("--jobs", default=2, show_default=True, help="processes")
def main(*, base, units, commands, cycles, seed, jobs) -> None:
    """Play the same on the MMU of a commit and on today's."""
    start, seed, commit = time.monotonic(), drawn() if seed is None else seed, commit_of(base)
    click.echo(f"twin: BASE={commit}, seed {seed}, {commands:,} commands of each unit")
    there, absent = verilog_of(commit, units)
    for unit, why in absent.items():
        click.echo(f"{unit}: not compared, BASE does not have it: {why}")
    total = failed = 0
    with multiprocessing.Pool(jobs) as pool:
        pairs = zip(there.items(), built(pool, commit, there), strict=True)
        for (unit, source), (old, new, notes) in pairs:
            began, timed = time.monotonic(), cycles and unit not in WRAPPED
            pair = Pair(unit, source, (old,), (new,), timed)
            done, wrong = play(pool, pair, seed, commands, jobs) if old else (Counter(), [""])
            said = ", ".join(f"{campaign} {n:,}" for campaign, n in done.items())
            how = ("cycles too" if timed else "by order") if not wrong else "DIFFERS"
            click.echo(f"{unit}: {how}; {said}; {time.monotonic() - began:.0f} s")
            click.echo("\n".join([*notes, *wrong[:1]]), nl=bool(notes or wrong))
            total += done.total()
            failed += bool(wrong)
    click.echo(f"twin: {total:,} commands, {failed} of {len(there)} units differ, "
               f"{len(absent)} not compared, {time.monotonic() - start:.0f} s")  # fmt: skip
    sys.exit(bool(failed or not there))
