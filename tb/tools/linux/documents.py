"""make linux-documents: the documents in Linux itself. Each machine boots the kernel with
sw/linux/patches, with what the patches do and without it; one boots the unmodified kernel, too."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import results  # noqa: E402
from support.root import ROOT  # noqa: E402
from system.linux import guest  # noqa: E402
from tools.linux import zero_pages  # noqa: E402
from tools.linux.zero_pages import UNMODIFIED, Machine, Row  # noqa: E402
from tools.report.publish import put  # noqa: E402

NAME = "linux-documents"
COMMAND = f"make {NAME}"
COPY = ROOT / "docs" / "data" / f"{NAME}.json"
PAGE = ROOT / "docs" / "linux.md"
README = ROOT / "README.md"
SECONDS = 2400  # several times what a boot takes on a busy machine


class Failed(click.ClickException):
    """A boot failed, or what must be true is not."""


def image(kernel: str) -> Path:
    name = "unmodified" if kernel == UNMODIFIED else "patched"
    return ROOT / "build" / NAME / f"{name}.elf"


def boot(machine: Machine, kernel: str) -> list[Row]:
    """One boot, from reset to the end of its command."""
    began = time.monotonic()
    argv = guest.granule(
        zero_pages.COMMAND.format(kernel=kernel),
        ROOT / "build" / machine.simulator,
        image(kernel),
        f"loglevel=4 {zero_pages.WORDS[kernel]}".strip(),
    )
    run = guest.run(argv, SECONDS)
    if run.status:
        raise Failed(f"{machine.name}, {kernel}: status {run.status}\n" + "\n".join(run.console))
    try:
        found = zero_pages.rows(run.console, machine.name, kernel, results.commit())
    except zero_pages.NoResult as error:
        raise Failed("\n".join([str(error), "its console:", *run.console[-40:]])) from None
    click.echo(f"  {machine.name}, {kernel}: {time.monotonic() - began:.1f} s")
    return found


def publish(found: zero_pages.Found) -> None:
    """Into the repository: as data, as a table, and as a sentence of README."""
    recorded = {"command": COMMAND, "figures": zero_pages.as_json(found.values())}
    COPY.write_text(results.by_lines(recorded))
    PAGE.write_text(put(PAGE.read_text(), NAME, zero_pages.page(found)))
    README.write_text(put(README.read_text(), NAME, zero_pages.readme(found)))
    click.echo(f"written: {', '.join(str(p.relative_to(ROOT)) for p in (COPY, PAGE, README))}")


def recorded() -> zero_pages.Found:
    """What docs/data has."""
    figures = json.loads(COPY.read_text())["figures"] if COPY.exists() else []
    return zero_pages.by_place(Row(**row) for row in figures)


@click.command(help=__doc__)
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--only", multiple=True, type=click.Choice([m.name for m in zero_pages.MACHINES]))
def main(jobs: int, only: tuple[str, ...]) -> None:
    chosen = [m for m in zero_pages.MACHINES if not only or m.name in only]
    boots = [(machine, kernel) for machine in chosen for kernel in machine.kernels]
    click.echo(f"booting Linux {len(boots)} times, {jobs} at once")
    with ThreadPoolExecutor(jobs) as pool:
        found = [row for rows in pool.map(lambda b: boot(*b), boots) for row in rows]
    places = zero_pages.by_place(found)
    click.echo("\n" + zero_pages.table(places) + "\n")
    if wrong := zero_pages.wrong(places):
        raise Failed("\n".join(wrong))
    results.write(NAME, f"all of {COMMAND}", zero_pages.as_json(found), command=COMMAND)
    # Machines that did not boot now keep what they had, with its commit.
    publish((recorded() if only else {}) | places)


if __name__ == "__main__":
    main()
