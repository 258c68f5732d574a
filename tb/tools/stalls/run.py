"""Where the cycles go: Dhrystone, the five documents at each granule, and Linux's boot and a shell
script once `make linux` has built it. Prints tables and writes build/results/stalls.json;
`make publish` puts them into docs/results.md."""

import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import at_once  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from system.linux import guest  # noqa: E402
from tools.stalls import page  # noqa: E402
from tools.stalls.measure import (  # noqa: E402
    DOCUMENTS,
    GRANULES,
    SCRIPT,
    dhrystone,
    document,
    linux,
)

LINUX = guest.LINUX / "boot.elf"
LINUX_OPTIONS = (
    "--lowmem", guest.MEMORY, "--highmem", "0",
    "--append", guest.with_command(guest.ARGUMENTS, SCRIPT),
    "--max-cycles", "400000000",  # more than it takes
)  # fmt: skip
CONFIGS = ("teaching", "teaching_main", "ulx3s", "ulx3s_main")
MEMORY = "board"


def of_dhrystone(config: str) -> list[dict]:
    spent, dmips = dhrystone(config, MEMORY)
    return [spent.row() | {"dmips_per_mhz": round(dmips, 3)}]


def of_document(config: str, number: str, granule: str) -> list[dict]:
    return [document(number, granule, config, MEMORY).row()]


def of_linux(config: str) -> list[dict]:
    return [part.row() for part in linux(LINUX, config, MEMORY, *LINUX_OPTIONS)]


def programs(config: str) -> dict[str, Callable[[], list[dict]]]:
    """What is measured of a configuration, in the order of its rows."""
    found = {"Dhrystone": partial(of_dhrystone, config)}
    for number, granule in product(DOCUMENTS, GRANULES):
        name = f"document {number}, {granule[:-1]}K"
        found[name] = partial(of_document, config, number, granule)
    return found | ({"Linux": partial(of_linux, config)} if LINUX.exists() else {})


def measure(jobs: int) -> list[dict]:
    """Rows of every configuration. Linux takes longer than all the others: it begins first."""
    todo = {(config, name): job for config in CONFIGS for name, job in programs(config).items()}
    order = sorted(todo, key=lambda place: place[1] != "Linux")
    rows = dict(zip(order, at_once(jobs, lambda place: todo[place](), order), strict=True))
    return [row for place in todo for row in rows[place]]


@click.command(help=__doc__)
@click.option("--jobs", default=1, show_default=True, help="Simulators at once.")
def main(jobs: int) -> None:
    if not LINUX.exists():
        click.echo(f"{LINUX.relative_to(ROOT)} is not there: no Linux; make linux builds it")
    rows = measure(jobs)
    results.write("stalls", " ".join(CONFIGS), rows, command="make stalls")
    click.echo(page.lost(rows))
    click.echo(page.main_tlb(rows))


if __name__ == "__main__":
    main()
