"""make dma: what zeroing and copying a page costs by the DMA engine and by the CPU, at each page
size, into docs/dma.md."""

import json
import subprocess
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.view import number  # noqa: E402
from granule.figures import Figure, split  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402

PAGE = ROOT / "docs" / "dma.md"
COPY = ROOT / "docs" / "data" / "dma.json"
BEGIN, END = "<!-- dma begin: written by make dma -->\n", "<!-- dma end -->"
CONFIGURATION = "teaching_dma"
SIZES = ("4k", "16k", "64k")
OPERATIONS = {"zero": "zeroing", "copy": "copying"}
STATES = {"cold": "in memory alone", "dirty": "just written by the CPU"}
# Of each, by the CPU and by the engine; the firmware's names end so.
COSTS = {"": "done", ".used": "and read by the CPU", ".busy": "of the CPU"}

Row = dict[str, str | float]


class Failed(click.ClickException):
    """A boot failed; says which, and how it ended."""


def boot(size: str, experiment: str = "dma") -> dict[str, float]:
    """Cycles by the firmware's names."""
    arguments = f"pagesize={size} run={experiment}"
    command = [ROOT / "build/granule-sim-dma", "--quiet", "--append", arguments]
    done = subprocess.run(
        [*command, ROOT / "build/sw/granule.elf"],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{size}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    figures: list[Figure] = split(done.stdout, CONFIGURATION)[1]
    return {figure.id: figure.value for figure in figures}


def rows(size: str, cycles: dict[str, float]) -> list[Row]:
    found: list[Row] = []
    for operation in OPERATIONS:
        for state in STATES:
            names = {
                (who, cost): f"D.{operation}.{state}.{who}{cost}"
                for who in ("cpu", "dma")
                for cost in COSTS
            }
            measured = {f"{who}{cost}": cycles[name] for (who, cost), name in names.items()}
            found.append({"size": size, "operation": operation, "state": state, **measured})
    return found


def cells(row: Row) -> tuple[str, ...]:
    what = f"{OPERATIONS[row['operation']]}, {STATES[row['state']]}"
    ratios = (f"{row['cpu'] / row['dma']:.2f}", f"{row['cpu.used'] / row['dma.used']:.2f}")
    done, used = ((number(row["cpu" + c]), number(row["dma" + c])) for c in ("", ".used"))
    return (what, row["size"], *done, ratios[0], *used, ratios[1], number(row["dma.busy"]))


def table(found: list[Row]) -> str:
    lines = [
        ("a page", "size", "CPU", "DMA", "CPU / DMA", "CPU, then read", "DMA, then read",
         "CPU / DMA", "DMA: of the CPU"),
        ("---", *("--:",) * 8),
        *map(cells, found),
    ]  # fmt: skip
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def with_section(text: str, recorded: dict) -> str:
    """The page with what stands between its marks."""
    before, rest = text.split(BEGIN)
    origin = f"Cycles on `{recorded['configuration']}`, commit {recorded['commit']}.\n"
    return before + BEGIN + table(recorded["figures"]) + f"\n{origin}" + END + rest.split(END)[1]


@click.command()
def main() -> None:
    """Boot experiment dma at each page size, and write what it measured into docs/dma.md."""
    found = [row for size in SIZES for row in rows(size, boot(size))]
    click.echo(table(found))
    path = results.write("dma", CONFIGURATION, found, command="make dma")
    written = json.loads(path.read_text())
    keys = ("configuration", "commit", "command", "figures")
    recorded = {key: written[key] for key in keys}
    COPY.write_text(results.by_lines(recorded))
    PAGE.write_text(with_section(PAGE.read_text(), recorded))
    click.echo(f"written: {COPY.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
