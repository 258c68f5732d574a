"""Where the cycles go: Dhrystone, the five documents at each granule, and Linux's boot and a shell
script once `make linux` has built it. Prints tables and writes build/results/stalls.json;
`make publish` puts them into docs/results.md."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
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


def firmware(config: str, jobs: int) -> list[dict]:
    """A row for each document at each granule."""
    with ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(
            lambda place: document(*place, config, MEMORY).row(), product(DOCUMENTS, GRANULES)
        )
        return list(parts)


def measure(jobs: int) -> list[dict]:
    """Of every configuration, a row for Dhrystone, those of the documents and those of Linux."""
    rows = []
    for config in CONFIGS:
        spent, dmips = dhrystone(config, MEMORY)
        rows.append(spent.row() | {"dmips_per_mhz": round(dmips, 3)})
        click.echo(f"{config}: Dhrystone measured")
        rows += firmware(config, jobs)
        click.echo(f"{config}: the documents measured")
        if LINUX.exists():
            rows += [part.row() for part in linux(LINUX, config, MEMORY, *LINUX_OPTIONS)]
            click.echo(f"{config}: Linux measured")
    return rows


@click.command(help=__doc__)
@click.option("--jobs", default=1, show_default=True, help="Simulators at once.")
def main(jobs: int) -> None:
    if not LINUX.exists():
        click.echo(f"{LINUX.relative_to(ROOT)} is not there: no Linux; make linux builds it")
    rows = measure(jobs)
    results.write("stalls", " ".join(CONFIGS), rows, command="make stalls")
    click.echo(page.table(rows))
    click.echo(page.main_tlb(rows))


if __name__ == "__main__":
    main()
