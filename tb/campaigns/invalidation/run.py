"""make invalidation: what an invalidation costs on MMUs with a main TLB, ours and with two other
policies; docs/invalidation.md and its plot."""

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from campaigns.invalidation.commands import Tally, runs  # noqa: E402
from campaigns.invalidation.commands import run as play_run  # noqa: E402
from campaigns.invalidation.plot import draw  # noqa: E402
from campaigns.soak.build import harness  # noqa: E402
from figures.measure import Failed, Measured, commit_of  # noqa: E402
from figures.page import table  # noqa: E402
from support.run import SIM, run_unit  # noqa: E402
from support.seed import drawn  # noqa: E402

SIZES = (64, 256, 1024)
POLICIES = {
    "exact": "Granule: what is covered does not answer, and is cleared later",
    "hashed": "XiangShan's: what has the same hash goes at once",
    "blocking": "CVA6's: all sets are read, and walks wait for that",
}
COLUMNS = {
    "cycles": "complete after",
    "hit": "slowest hit",
    "lookup": "later by",
    "walks": "walks",
    "lost": "lost",
}
# Which MMUs get random commands: two of ours, and one that is known to lose entries.
RANDOM = {"exact256": 256, "exact1024": 1024, "hashed256": 256}

Costs = dict[str, list[dict]]  # by configuration, a row for each case


def measure(config: str, entries: int) -> list[dict]:
    found = SIM / f"invalidation_{config}.json"
    found.unlink(missing_ok=True)
    environment = {"MAIN_ENTRIES": str(entries), "FOUND": str(found)}
    environment["GRANULE_CONFIG"] = "vmsa48_main"  # what the golden model needs to know
    run_unit("mmu", "campaigns.invalidation.cocotb_cost", config, extra_env=environment)
    return json.loads(found.read_text())


def send(counts: dict[str, int], seed: int, jobs: int) -> dict[str, Tally]:
    """Random commands to each MMU of RANDOM, so many of them."""
    total, sent = {name: Tally() for name in counts}, 0
    work = [(name, n, at) for name, count in counts.items() for n, at in runs(count, seed)]
    with ProcessPoolExecutor(jobs) as pool:
        list(pool.map(harness, counts))  # one build each
        done = [pool.submit(play_run, harness(name), RANDOM[name], n, at) for name, n, at in work]
        for (name, n, _), tally in zip(work, done, strict=True):
            total[name].add(tally.result())
            tenth, sent = 10 * sent // sum(counts.values()), sent + n
            if 10 * sent // sum(counts.values()) > tenth:
                click.echo(f"  {sent:,} of {sum(counts.values()):,} commands")
    return total


def number(cost: dict, column: str) -> str:
    if column == "lost":
        there = cost["lost"] + cost["stayed"]
        return f"{cost['lost']} of {there}" if there else "-"
    return f"{cost[column]:,}"


def costs_table(costs: Costs, entries: int) -> str:
    """A line for each policy and case."""
    lines = [
        (policy, cost["case"], *(number(cost, column) for column in COLUMNS))
        for policy in POLICIES
        for cost in costs[f"{policy}{entries}"]
    ]
    return table(("policy", "covered", *COLUMNS.values()), lines, "llr")


def random_table(found: dict[str, dict]) -> str:
    """A line for each MMU that got random commands."""
    names = {"commands": "commands", "taken": "entries that went", "looked": "looked for",
             "lost": "lost"}  # fmt: skip
    lines = ((config, *(f"{row[name]:,}" for name in names)) for config, row in found.items())
    return table(("MMU", *names.values()), lines, "lr")


def section(recorded: dict) -> str:
    figures = recorded["figures"]
    parts = [f"### {n:,} entries\n\n{costs_table(figures['costs'], n)}" for n in SIZES]
    parts.append(f"### Random commands\n\n{random_table(figures['random'])}")
    return "\n\n".join([*parts, commit_of(recorded)])


def picture(recorded: dict, path: Path) -> None:
    draw(recorded["figures"]["costs"], SIZES, path)


MEASURED = Measured(
    "invalidation", "make invalidation", "vmsa48", {("docs/invalidation.md", "costs"): section},
    draws={"docs/invalidation.svg": picture},
)  # fmt: skip


@click.command()
@click.option("--jobs", default=os.cpu_count(), show_default=True, help="MMUs at the same time")
@click.option(
    "--commands",
    default=20_000,
    show_default=True,
    type=click.IntRange(min=1),
    help="random commands that each of ours gets; the others get as many as tell",
)
@click.option("--seed", type=int, help="of the random commands; empty: a new one")
def main(jobs: int, commands: int, seed: int | None) -> None:
    """Measure every case with every policy at every size, then send random commands."""
    seed = drawn() if seed is None else seed
    machines = [(f"{policy}{n}", n) for policy in POLICIES for n in SIZES]
    few = min(commands, 20_000)
    click.echo(f"building and measuring {len(machines)} MMUs, {jobs} at a time")
    # Processes: what a run is told stands in the environment, which threads share.
    with ProcessPoolExecutor(jobs) as pool:
        done = pool.map(measure, *zip(*machines, strict=True))
        costs = {name: found for (name, _), found in zip(machines, done, strict=True)}
    for entries in SIZES:
        click.echo(f"\n{entries:,} entries\n{costs_table(costs, entries)}")
    click.echo(f"sending {commands:,} random commands, seed {seed}")
    counts = {name: commands if name.startswith("exact") else few for name in RANDOM}
    found = {name: vars(tally) for name, tally in send(counts, seed, jobs).items()}
    click.echo(random_table(found))
    MEASURED.record({"costs": costs, "random": found}, seed=seed)
    lost = [name for name, row in found.items() if name.startswith("exact") and row["lost"]]
    if lost:
        raise Failed(f"{', '.join(lost)}: entries are lost that no command covers")


if __name__ == "__main__":
    main()
