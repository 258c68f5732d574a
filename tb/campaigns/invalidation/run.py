"""make invalidation: what an invalidation costs on MMUs with a main TLB, ours and with two other
policies; docs/invalidation.md and its plot."""

import json
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from campaigns.invalidation import commands as random_commands
from campaigns.soak.build import harness
from figures.measure import Failed, Measured, commit_of
from figures.page import table
from figures.plot import panels, plain, save
from support.run import SIM, run_unit
from support.seed import drawn

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


def send(counts: dict[str, int], seed: int, jobs: int) -> dict[str, Counter[str]]:
    """Random commands to each MMU of RANDOM, so many of them."""
    total, sent, all_of = {name: Counter() for name in counts}, 0, sum(counts.values())
    work = [
        (name, n, at)
        for name, count in counts.items()
        for n, at in random_commands.runs(count, seed)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        list(pool.map(harness, counts))  # one build each
        done = [
            pool.submit(random_commands.run, harness(name), RANDOM[name], n, at)
            for name, n, at in work
        ]
        for (name, n, _), tally in zip(work, done, strict=True):
            total[name].update(tally.result())
            tenth, sent = 10 * sent // all_of, sent + n
            if 10 * sent // all_of > tenth:
                click.echo(f"  {sent:,} of {all_of:,} commands")
    return total


def costs_table(costs: Costs, entries: int) -> str:
    lines = []
    for policy, cost in ((p, cost) for p in POLICIES for cost in costs[f"{p}{entries}"]):
        there = cost["lost"] + cost["stayed"]
        lost = f"{cost['lost']} of {there}" if there else "-"
        lines.append((policy, cost["case"], *(f"{cost[name]:,}" for name in COLUMNS), lost))
    return table(("policy", "covered", *COLUMNS.values(), "lost"), lines, "llr")


def random_table(found: dict[str, dict]) -> str:
    names = {"commands": "commands", "taken": "entries that went", "looked": "looked for",
             "lost": "lost"}  # fmt: skip
    lines = ((config, *(f"{row[name]:,}" for name in names)) for config, row in found.items())
    return table(("MMU", *names.values()), lines, "lr")


def section(recorded: dict) -> str:
    figures = recorded["figures"]
    parts = [f"### {n:,} entries\n\n{costs_table(figures['costs'], n)}" for n in SIZES]
    parts.append(f"### Random commands\n\n{random_table(figures['random'])}")
    return "\n\n".join([*parts, commit_of(recorded)])


# A colour and a pattern each; the colours are told apart by everybody.
STYLES = {"exact": ("#0072B2", ""), "hashed": ("#E69F00", "//"), "blocking": ("#999999", "..")}
DRAWN = ("a page", "16 pages, one by one", "1,024 pages, one by one", "an ASID", "all")


def drawn_rows(costs: Costs, policy: str, entries: int) -> list[dict]:
    """What a policy does for each case; ours has ranges, the others send page by page."""
    by_case = {cost["case"]: cost for cost in costs[f"{policy}{entries}"]}
    ranged = policy == "exact"
    return [by_case[case.replace("one by one", "a range") if ranged else case] for case in DRAWN]


def draw(recorded: dict, path: Path) -> None:
    """How long a command takes, and what it takes with it."""
    figure, axes = panels(2, len(SIZES), sharey="row", figsize=(11, 6))
    width = 0.8 / len(STYLES)
    for column, entries in enumerate(SIZES):
        cycles, lost = axes[0][column], axes[1][column]
        for i, (policy, (colour, hatch)) in enumerate(STYLES.items()):
            found = drawn_rows(recorded["figures"]["costs"], policy, entries)
            places = [n + (i - 1) * width for n in range(len(DRAWN))]
            look = {"width": width, "color": colour, "hatch": hatch, "edgecolor": "white"}
            cycles.bar(places, [c["cycles"] for c in found], label=policy, **look)
            share = [100 * c["lost"] / max(1, c["lost"] + c["stayed"]) for c in found]
            lost.bar(places, share, **look)
        cycles.set_yscale("log")
        cycles.set_title(f"{entries:,} entries")
        labels = [case.replace(", one by one", "") for case in DRAWN]
        for axis in (cycles, lost):
            axis.set_xticks(range(len(DRAWN)), labels, rotation=25, ha="right")
            plain(axis, "y")
    axes[0][0].set_ylabel("cycles until complete")
    axes[1][0].set_ylabel("lost although not covered, %")
    handles, names = axes[0][0].get_legend_handles_labels()
    save(figure, path, handles, labels=names)


MEASURED = Measured(
    "invalidation", "make invalidation", "vmsa48", {("docs/invalidation.md", "costs"): section},
    draws={"docs/invalidation.svg": draw},
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
    found = {name: dict(tally) for name, tally in send(counts, seed, jobs).items()}
    click.echo(random_table(found))
    MEASURED.record({"costs": costs, "random": found}, seed=seed)
    lost = [name for name, row in found.items() if name.startswith("exact") and row["lost"]]
    if lost:
        raise Failed(f"{', '.join(lost)}: entries are lost that no command covers")
