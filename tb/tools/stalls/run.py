"""Where the cycles go: Dhrystone, and the boot of Linux once `make linux` has built it. Prints a
table and writes build/results/stalls.json; `make publish` puts it into docs/results.md."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.stalls import page  # noqa: E402
from tools.stalls.measure import boot, dhrystone  # noqa: E402

LINUX = ROOT / "build" / "linux" / "boot.elf"
LINUX_OPTIONS = ("--lowmem", "32M", "--highmem", "0", "--append", "console=hvc0 panic=-1")
BOOT_CYCLES = "200000000"  # more than any boot takes
CONFIGS = ("teaching", "ulx3s")
MEMORY = "board"


def measure() -> list[dict]:
    """A row for Dhrystone and one for each milestone of the boot, of every configuration."""
    rows = []
    for config in CONFIGS:
        spent, dmips = dhrystone(config, MEMORY)
        rows.append(spent.row() | {"dmips_per_mhz": round(dmips, 3)})
        click.echo(f"{config}: Dhrystone measured")
        if LINUX.exists():
            milestones = boot(LINUX, config, MEMORY, *LINUX_OPTIONS, "--max-cycles", BOOT_CYCLES)
            rows += [milestone.row() for milestone in milestones]
            click.echo(f"{config}: boot of Linux measured")
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
