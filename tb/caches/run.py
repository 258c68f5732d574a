"""make caches: document 002 on other data caches, as tables of what they have in common."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from caches.machines import MACHINES, TOPICS, Machine, Topic  # noqa: E402
from demo.catalogue import entry  # noqa: E402
from demo.figures import Figure, split  # noqa: E402
from demo.rows import row_of  # noqa: E402
from demo.view import number  # noqa: E402
from support import results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "build" / "sw" / "granule.elf"
PAGE = ROOT / "docs" / "caches.md"
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


def table(topic: Topic, figures: dict[tuple[str, str], Figure]) -> str:
    """Markdown of one topic; its machines that did not run are left out."""
    what = {machine.name: machine.what for machine in MACHINES}
    names = [name for name in topic.machines if any(key[0] == name for key in figures)]
    lines = [("machine", *topic.columns.values(), "what it is")]
    lines.append(("---",) * len(lines[0]))
    for name in names:
        cells = (figures.get((name, identity)) for identity in topic.columns)
        lines.append((name, *(number(f.value) if f else "" for f in cells), what[name]))
    published = [entry(identity).published for identity in topic.columns]
    if any(value is not None for value in published):
        cells = ("" if value is None else number(value) for value in published)
        lines.append(("document", *cells, "as published"))
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"## {topic.title}\n{body}\n"


@click.command()
@click.option("--only", multiple=True, type=click.Choice([m.name for m in MACHINES]))
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
def main(only: tuple[str, ...], jobs: int) -> None:
    """Boot experiment e002 on the machines with other data caches."""
    chosen = [m for m in MACHINES if not only or m.name in only]
    click.echo(f"booting experiment e002 on {len(chosen)} machines, {jobs} at once")
    figures: list[Figure] = []
    with ThreadPoolExecutor(jobs) as pool:
        for machine, found in zip(chosen, pool.map(boot, chosen), strict=True):
            click.echo(f"  {machine.name}: {len(found)} figures")
            figures += found
    known = {(f.configuration, f.id): f for f in figures}
    tables = [table(topic, known) for topic in TOPICS]
    click.echo("\n" + "\n".join(tables))
    failed = [f"{f.id} of {f.configuration}" for f in figures if f.verdict == "FAIL"]
    if failed:
        raise Failed(f"beside the model: {', '.join(failed)}")
    if only:
        return
    rows = [row_of(f).as_json() for f in figures]
    path = results.write("caches", "all of make caches", rows, command="make caches")
    PAGE.write_text("\n".join([HEAD.format(commit=results.commit()), *tables]))
    click.echo(f"written: {path.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
