"""make caches: document 002 on other data caches, as tables of what they have in common."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.catalogue import entry  # noqa: E402
from figures.rows import row_of  # noqa: E402
from figures.view import number  # noqa: E402
from granule.figures import Figure, split  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.caches.machines import MACHINES, TOPICS, Machine, Topic  # noqa: E402

FIRMWARE = ROOT / "build" / "sw" / "granule.elf"
PAGE = ROOT / "docs" / "caches.md"
COPY = ROOT / "docs" / "data" / "caches.json"
BOOT = "pagesize=4k run=e002"
HEAD = """\
# Document 002 on other data caches

`make caches` wrote this page, of commit {commit}. It boots experiment e002 at 4K on one machine
for each line; what the counts stand beside is a model of the cache that knows nothing of the
hardware (sw/experiments/cache_model.c), and the run fails when they differ.
"""


class Failed(click.ClickException):
    """A boot failed; says which, and how it ended."""


def boot(machine: Machine) -> list[Figure]:
    """The figures of one machine."""
    done = subprocess.run(
        [ROOT / "build" / machine.simulator, *machine.options, "--append", BOOT, FIRMWARE],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise Failed(
            f"{machine.name}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}"
        )
    return split(done.stdout, machine.name)[1]


Values = dict[tuple[str, str], float]  # by machine and id


def table(topic: Topic, values: Values) -> str:
    """Markdown of one topic; its machines that did not run are left out."""
    what = {machine.name: machine.what for machine in MACHINES}
    names = [name for name in topic.machines if any(key[0] == name for key in values)]
    lines = [("machine", *topic.columns.values(), "what it is")]
    lines.append(("---",) * len(lines[0]))
    for name in names:
        cells = (values.get((name, identity)) for identity in topic.columns)
        lines.append((name, *("" if v is None else number(v) for v in cells), what[name]))
    published = [entry(identity).published for identity in topic.columns]
    if any(value is not None for value in published):
        cells = ("" if value is None else number(value) for value in published)
        lines.append(("document", *cells, "as published"))
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"## {topic.title}\n{body}\n"


def tables(values: Values) -> str:
    return "\n".join(table(topic, values) for topic in TOPICS)


def page(recorded: dict) -> str:
    """docs/caches.md of what docs/data/caches.json records."""
    values = {tuple(key.split(" ")): value for key, value in recorded["figures"].items()}
    return HEAD.format(commit=recorded["commit"]) + "\n" + tables(values)


def publish() -> None:
    """The last results into the repository: as data, and as a page."""
    found = results.read("caches")
    if found is None:
        raise Failed("build/results/caches.json is missing; make caches writes it")
    figures = {f"{row['configuration']} {row['id']}": row["value"] for row in found["figures"]}
    recorded = {"commit": found["commit"], "command": found["command"], "figures": figures}
    COPY.write_text(json.dumps(recorded, indent=1) + "\n")
    PAGE.write_text(page(recorded))
    click.echo(f"written: {COPY.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


@click.command()
@click.option("--only", multiple=True, type=click.Choice([m.name for m in MACHINES]))
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--again", is_flag=True, help="boot nothing, write the page of the last results")
def main(only: tuple[str, ...], jobs: int, again: bool) -> None:
    """Boot experiment e002 on the machines with other data caches."""
    if again:
        return publish()
    chosen = [m for m in MACHINES if not only or m.name in only]
    click.echo(f"booting experiment e002 on {len(chosen)} machines, {jobs} at once")
    figures: list[Figure] = []
    with ThreadPoolExecutor(jobs) as pool:
        for machine, found in zip(chosen, pool.map(boot, chosen), strict=True):
            click.echo(f"  {machine.name}: {len(found)} figures")
            figures += found
    click.echo("\n" + tables({(f.configuration, f.id): f.value for f in figures}))
    failed = [f"{f.id} of {f.configuration}" for f in figures if f.verdict == "FAIL"]
    if failed:
        raise Failed(f"beside the model: {', '.join(failed)}")
    if not only:
        rows = [row_of(f).as_json() for f in figures]
        results.write("caches", "all of make caches", rows, command="make caches")
        publish()
    return None


if __name__ == "__main__":
    main()
