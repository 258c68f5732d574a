"""Draws curves or figures that the firmware printed into a file (needs matplotlib)."""

import argparse
from pathlib import Path

from granule import plot
from granule.commands.figures import add_files, chosen, console_of, figures_of
from granule.figures import curves

EPILOG = """\
examples:
  granule run --boot run=e001 > console.txt
  {command} console.txt -o cost.svg                          its curves
  {command} console.txt --name e001.cost.range -o cost.svg   one of them
  {command} 4k.txt 16k.txt --id W-1 -o walks.png             a figure, a bar for each run"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    add = parser.add_argument
    add("-o", "--output", type=Path, required=True, help="FILE.svg, FILE.png or FILE.pdf")
    add("--name", action="append", default=[], help="this curve only; may be given often")
    add("--id", action="append", default=[], help="draw this figure; may be given often")


def run(args: argparse.Namespace) -> None:
    if args.id and args.name:
        raise ValueError("--id draws bars and --name lines; choose one of them")
    if args.id:
        canvas = plot.bars(figures_of(args))
    else:
        texts = map(console_of, args.file)
        read = [curve for text in texts for curve in curves(text, args.configuration)]
        canvas = plot.curves(chosen(read, args.name, "curve", lambda curve: curve["name"]))
    plot.save(canvas, args.output)
    print(args.output)
