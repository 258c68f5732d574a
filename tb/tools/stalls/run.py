"""Where the cycles go: Dhrystone, and Linux's boot and a shell script once `make linux` has built
it. Prints a table and writes build/results/stalls.json; `make publish` puts it into
docs/results.md."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from system.linux import guest  # noqa: E402
from tools.stalls import page  # noqa: E402
from tools.stalls.measure import SCRIPT, dhrystone, linux  # noqa: E402

LINUX = guest.LINUX / "boot.elf"
LINUX_OPTIONS = (
    "--lowmem", guest.MEMORY, "--highmem", "0",
    "--append", guest.with_command(guest.ARGUMENTS, SCRIPT),
    "--max-cycles", "400000000",  # more than it takes
)  # fmt: skip
CONFIGS = ("teaching", "teaching_main", "ulx3s", "ulx3s_main")
MEMORY = "board"


def measure() -> list[dict]:
    """Of every configuration, a row for Dhrystone and the rows of Linux."""
    rows = []
    for config in CONFIGS:
        spent, dmips = dhrystone(config, MEMORY)
        rows.append(spent.row() | {"dmips_per_mhz": round(dmips, 3)})
        click.echo(f"{config}: Dhrystone measured")
        if LINUX.exists():
            rows += [part.row() for part in linux(LINUX, config, MEMORY, *LINUX_OPTIONS)]
            click.echo(f"{config}: Linux measured")
    return rows


@click.command(help=__doc__)
def main() -> None:
    if not LINUX.exists():
        click.echo(f"{LINUX.relative_to(ROOT)} is not there: Dhrystone only; make linux builds it")
    rows = measure()
    results.write("stalls", " ".join(CONFIGS), rows, command="make stalls")
    click.echo(page.table(rows))


if __name__ == "__main__":
    main()
