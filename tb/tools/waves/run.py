"""`make waves`: the timing diagrams of docs/mmu.md, from the RTL, as SVG. Colours are those of the
report."""

import json
from pathlib import Path

import click

from support.results import by_lines
from support.run import ROOT, SIM, run_unit
from tools.report.svg import element, line, standalone, text
from tools.waves import scenarios, second_level
from tools.waves.rows import Row

UNITS = (("mmu", scenarios), ("l2_ways", second_level))  # of configuration `teaching`
SCENARIOS = scenarios.SCENARIOS | second_level.SCENARIOS
RECORDED = ROOT / "docs" / "data" / "waves.json"
PICTURES = ROOT / "docs" / "waves"
LEFT, TOP, CYCLE, ROW, EDGE = 126, 56, 48, 28, 4
HIGH = ROW - 10  # of a bit
STYLE = """
  text{font-size:12px}.head{font-size:14px;font-weight:bold}.cycle,.name{fill:var(--muted)}
  .name{white-space:pre}.name,.in{font-family:Menlo,'DejaVu Sans Mono',monospace;font-size:11px}
  .page{fill:var(--card)}.strip{fill:var(--paper)}.grid{stroke:var(--rule)}
  .nothing{stroke:var(--muted);opacity:.45}
  .wave{stroke:var(--c1);stroke-width:1.6;fill:none}.value{fill:var(--band);stroke:var(--c1)}
"""


def record() -> dict:
    """Of each scenario, its cycles and what the rows of its diagram say."""
    recorded = {}
    for unit, module in UNITS:
        path = SIM / "results" / f"waves-{unit}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        run_unit(unit, module.__name__, extra_env={"RESULT": str(path)})
        recorded |= json.loads(path.read_text())
    return recorded


def nothing(start: int, end: int, y: float) -> str:
    middle = y + HIGH / 2
    return line(LEFT + start * CYCLE, middle, LEFT + end * CYCLE, middle, class_="nothing")


def wave(parts: list[tuple[int, int, int]], y: float) -> str:
    """The line of a bit."""
    points, level = [], {0: y + HIGH, 1: y}
    for start, end, bit in parts:
        x = LEFT + start * CYCLE
        points += [(x + (EDGE if points else 0), level[bit]), (LEFT + end * CYCLE, level[bit])]
    joined = " ".join(f"{x:g},{y:g}" for x, y in points)
    return element("polyline", points=joined, class_="wave")


def box(start: int, end: int, value: int | str, y: float) -> list[str]:
    x, width = LEFT + start * CYCLE + 2, (end - start) * CYCLE - 2
    shown = value if isinstance(value, str) else f"{value:x}"
    return [
        element("rect", x=x, y=y, width=width, height=HIGH, rx=4, class_="value"),
        text(x + width / 2, y + HIGH - 5, shown, class_="in", text_anchor="middle"),
    ]


def drawn(row: Row, changes: list, cycles: int, y: float) -> list[str]:
    """A thin line where the signal means nothing."""
    ends = [cycle for cycle, _ in changes[1:]] + [cycles]
    parts = [(start, end, value) for (start, value), end in zip(changes, ends, strict=True)]
    silent = [nothing(start, end, y) for start, end, value in parts if value is None]
    spoken = [part for part in parts if part[2] is not None]
    if not row.bit:
        return silent + [shape for part in spoken for shape in box(*part, y)]
    runs: list[list[tuple]] = []
    for part in spoken:
        if runs and runs[-1][-1][1] == part[0]:
            runs[-1].append(part)
        else:
            runs.append([part])
    return silent + [wave(run, y) for run in runs]


def diagram(title: str, rows: tuple[Row, ...], recorded: dict) -> str:
    cycles = recorded["cycles"]
    width, height = LEFT + cycles * CYCLE + 14, TOP + len(rows) * ROW + 6
    parts = [element("rect", width=width, height=height, class_="page"),
             text(14, 22, title, class_="head")]  # fmt: skip
    for n, row in enumerate(rows):
        y = TOP + n * ROW
        if n % 2 == 0:
            parts.append(element("rect", y=y - 5, width=width, height=ROW, class_="strip"))
        parts.append(text(14, y + HIGH - 5, row.name, class_="name"))
    for cycle in range(cycles + 1):
        x = LEFT + cycle * CYCLE
        parts.append(line(x, TOP - 5, x, height - 11, class_="grid"))
        if cycle < cycles:
            parts.append(text(x + CYCLE / 2, TOP - 12, str(cycle), class_="cycle",
                              text_anchor="middle"))  # fmt: skip
    for n, row in enumerate(rows):
        parts += drawn(row, recorded["changes"][row.name], cycles, TOP + n * ROW)
    # As an image on a page it has this size, and the letters that of the text around it.
    sized = f'<svg width="{width}" height="{height}" '
    return standalone(width, height, title, STYLE, *parts).replace("<svg ", sized, 1)


def pictures(recorded: dict) -> dict[Path, str]:
    return {
        PICTURES / f"{name}.svg": diagram(scenario.title, scenario.rows, recorded[name])
        for name, scenario in SCENARIOS.items()
    }


@click.command()
def main() -> None:
    """Draws the timing diagrams of docs/mmu.md again, from the RTL."""
    recorded = record()
    RECORDED.write_text(by_lines(recorded))
    PICTURES.mkdir(exist_ok=True)
    for path, svg in pictures(recorded).items():
        path.write_text(svg)
    print(f"waves: {len(SCENARIOS)} diagrams in {PICTURES.relative_to(ROOT)}")
