"""Reads the figures that the firmware printed, from a file of its console or from stdin."""

import argparse
import json
import sys
from dataclasses import asdict

from granule.figures import Figure, split
from granule.simulator import TEACHING

EPILOG = """\
examples:
  {command} console.txt
  granule run --boot run=e002 | {command}
  {command} --id W-1 --json console.txt"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="*", default=["-"], help="console text (default: stdin)")
    add("--id", action="append", default=[], help="this figure only; may be given often")
    add("--configuration", default=TEACHING, metavar="NAME",
        help=f"the machine that printed it (default: {TEACHING})")  # fmt: skip
    add("--json", action="store_true", help="for a program")


def console_of(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


def chosen(figures: list[Figure], ids: list[str]) -> list[Figure]:
    """Those with these ids. Raises ValueError for an id that nothing has."""
    missing = set(ids) - {f.id for f in figures}
    if missing:
        known = ", ".join(dict.fromkeys(f.id for f in figures)) or "none"
        raise ValueError(f"no figure {', '.join(sorted(missing))}; there are {known}")
    return [f for f in figures if not ids or f.id in ids]


def line(figure: Figure) -> str:
    value = f"{figure.value:,.6f}".rstrip("0").rstrip(".")
    verdict = figure.verdict or ""
    return (
        f"{figure.id:<12} {figure.run:<4} {value:>14} {figure.unit:<12} {verdict:<4} {figure.what}"
    )


def run(args: argparse.Namespace) -> None:
    read = [f for name in args.file for f in split(console_of(name), args.configuration)[1]]
    figures = chosen(read, args.id)
    if not figures:
        raise ValueError("no RESULT line is in it; the firmware prints them with run=all")
    if args.json:
        print(json.dumps([asdict(f) for f in figures], indent=1))
    else:
        print("\n".join(map(line, figures)))
