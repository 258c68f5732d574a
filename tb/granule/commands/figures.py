"""Reads the figures that the firmware printed, from a file of its console or from stdin."""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from granule.figures import Figure, split
from granule.simulator import TEACHING

EPILOG = """\
examples:
  {command} console.txt
  granule run --boot run=e002 | {command}
  {command} --id W-1 --json console.txt"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    add = parser.add_argument
    add("--id", action="append", default=[], help="this figure only; may be given often")
    add("--json", action="store_true", help="for a program")


def console_of(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


def chosen(found: list, wanted: list[str], what: str, name_of: Callable[[Any], str]) -> list:
    """Those with these names. Raises ValueError for a name that nothing has."""
    names = list(dict.fromkeys(map(name_of, found)))
    missing = ", ".join(sorted(set(wanted) - set(names)))
    if missing:
        raise ValueError(f"no {what} {missing}; there are {', '.join(names) or 'none'}")
    return [each for each in found if not wanted or name_of(each) in wanted]


def figures_of(args: argparse.Namespace) -> list[Figure]:
    """Those of the files that were asked for."""
    read = [f for name in args.file for f in split(console_of(name), args.configuration)[1]]
    return chosen(read, args.id, "figure", lambda figure: figure.id)


def add_files(parser: argparse.ArgumentParser) -> None:
    """What each command takes that reads the firmware's console."""
    parser.add_argument("file", nargs="*", default=["-"], help="console text (default: stdin)")
    parser.add_argument("--configuration", default=TEACHING, metavar="NAME",
                        help=f"the machine that printed it (default: {TEACHING})")  # fmt: skip


def line(figure: Figure) -> str:
    value = f"{figure.value:,.6f}".rstrip("0").rstrip(".")
    verdict = figure.verdict or ""
    return (
        f"{figure.id:<12} {figure.run:<4} {value:>14} {figure.unit:<12} {verdict:<4} {figure.what}"
    )


def run(args: argparse.Namespace) -> None:
    figures = figures_of(args)
    if not figures:
        raise ValueError("no RESULT line is in it; the firmware prints them with run=all")
    if args.json:
        print(json.dumps([asdict(f) for f in figures], indent=1))
    else:
        print("\n".join(map(line, figures)))
