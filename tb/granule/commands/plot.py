"""Draws curves or figures that the firmware printed into a file (needs matplotlib)."""

import argparse
from pathlib import Path

from granule import plot, series
from granule.commands.figures import chosen, console_of
from granule.figures import split
from granule.simulator import TEACHING

EPILOG = """\
examples:
  granule run --boot run=e001 > console.txt
  {command} console.txt -o cost.svg                          its curves
  {command} console.txt --name e001.cost.range -o cost.svg   one of them
  {command} 4k.txt 16k.txt --id W-1 -o walks.png             a figure, a bar for each run"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="*", default=["-"], help="console text (default: stdin)")
    add("-o", "--output", type=Path, required=True, help="FILE.svg, FILE.png or FILE.pdf")
    add("--name", action="append", default=[], help="this curve only; may be given often")
    add("--id", action="append", default=[], help="draw this figure; may be given often")
    add("--configuration", default=TEACHING, metavar="NAME",
        help=f"the machine that printed it (default: {TEACHING})")  # fmt: skip


def named(curves: list[dict], names: list[str]) -> list[dict]:
    """Those curves. Raises ValueError for a name that none has."""
    missing = set(names) - {curve["name"] for curve in curves}
    if missing:
        known = ", ".join(dict.fromkeys(curve["name"] for curve in curves)) or "none"
        raise ValueError(f"no curve {', '.join(sorted(missing))}; there are {known}")
    return [curve for curve in curves if not names or curve["name"] in names]


def run(args: argparse.Namespace) -> None:
    if args.id and args.name:
        raise ValueError("--id draws bars and --name lines; choose one of them")
    texts = [console_of(name) for name in args.file]
    if args.id:
        figures = [f for text in texts for f in split(text, args.configuration)[1]]
        canvas = plot.bars(chosen(figures, args.id))
    else:
        read = [c for t in texts for c in series.take(t.splitlines(), args.configuration)[1]]
        canvas = plot.curves(named(read, args.name))
    plot.save(canvas, args.output)
    print(args.output)
