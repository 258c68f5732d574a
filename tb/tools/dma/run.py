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
LISTS_BEGIN = "<!-- dma lists begin: written by make dma -->\n"
LISTS_END = "<!-- dma lists end -->"
CONFIGURATION = "teaching_dma"
SIZES = ("4k", "16k", "64k")
OPERATIONS = {"zero": "zeroing", "copy": "copying"}
STATES = {"cold": "in memory alone", "dirty": "just written by the CPU"}
# Of each, by the CPU and by the engine; the firmware's names end so.
COSTS = {"": "done", ".used": "and read by the CPU", ".busy": "of the CPU"}

Row = dict[str, str | float]


class Failed(click.ClickException):
    """A boot failed; says which, and how it ended."""


def boot(size: str, experiment: str = "dma", more: str = "") -> dict[str, float]:
    """Figures by the firmware's names. `more`: further boot arguments."""
    arguments = f"pagesize={size} run={experiment} {more}".rstrip()
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
        raise Failed(
            f"{arguments}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}"
        )
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


def list_rows(size: str, cycles: dict[str, float]) -> list[Row]:
    """A page of several, by a list of its own and by one list of all."""
    return [{"size": size} | {name: cycles[f"D.list.{name}"] for name in ("each", "one")}]


def list_table(found: list[Row]) -> str:
    lines = [
        ("zeroing a page of eight", "a list a page", "one list", "saved a page"),
        ("---", *("--:",) * 3),
    ]
    for row in found:
        saved = row["each"] - row["one"]
        cycles = (f"{value:,.0f}" for value in (row["each"], row["one"], saved))
        lines.append((row["size"], *cycles))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def marked(text: str, marks: tuple[str, str], section: str) -> str:
    """The text with another section between its marks."""
    before, rest = text.split(marks[0])
    return before + marks[0] + section + marks[1] + rest.split(marks[1])[1]


def origin(recorded: dict) -> str:
    return f"\nCycles on `{recorded['configuration']}`, commit {recorded['commit']}.\n"


def with_section(text: str, recorded: dict) -> str:
    """The page with what stands between its marks."""
    found = recorded["figures"]
    costs = [row for row in found if "operation" in row]
    lists = [row for row in found if "each" in row]
    text = marked(text, (BEGIN, END), table(costs) + origin(recorded))
    return marked(text, (LISTS_BEGIN, LISTS_END), list_table(lists) + origin(recorded))


def record(name: str, copy: Path, found: list[Row]) -> dict:
    """Writes what make dma measured to build/results and to its copy in docs/data."""
    path = results.write(name, CONFIGURATION, found, command="make dma")
    written = json.loads(path.read_text())
    keys = ("configuration", "commit", "command", "figures")
    recorded = {key: written[key] for key in keys}
    copy.write_text(results.by_lines(recorded))
    return recorded


@click.command()
def main() -> None:
    """Boot experiment dma at each page size, and write what it measured into docs/dma.md."""
    found: list[Row] = []
    for size in SIZES:
        cycles = boot(size)
        found += rows(size, cycles) + list_rows(size, cycles)
    recorded = record("dma", COPY, found)
    PAGE.write_text(with_section(PAGE.read_text(), recorded))
    click.echo(f"written: {COPY.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
