"""Runs a program on the simulator: the firmware, unless another is given. Its exit status is that
of the program; 124 after --max-cycles."""

import argparse
import json
import sys
from dataclasses import asdict

from granule.simulator import Run
from granule.simulator import run as run_program

EPILOG = """\
examples:
  {command} --boot "pagesize=16k run=e002"
  {command} --boot run=a1 --counters          what was counted, by name
  {command} --simulator ulx3s my-program.elf  on the machine of the board

The simulator is looked for: --simulator (a file, or the name of a configuration), GRANULE_SIM,
build/granule-sim, PATH. `make sim firmware` builds it and the firmware."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("elf", nargs="?", help="the program (default: GRANULE_ELF, then build/sw/granule.elf)")
    add("--boot", metavar="TEXT", help="boot arguments")
    add("--simulator", metavar="NAME|FILE", help="which machine (default: teaching)")
    add("--max-cycles", type=int, metavar="N", help="give up after so many")
    add("--milestone", action="append", default=[], metavar="TEXT",
        help="count also until the console shows this; may be given often")  # fmt: skip
    add("--option", action="append", default=[], metavar="OPTION",
        help="a further one of granule-sim, as in --option=--memory=fixed:20")  # fmt: skip
    add("--counters", action="store_true", help="print what was counted, at the end")
    add("--json", action="store_true", help="print what came of it for a program, at the end, and "
        "no console")  # fmt: skip


def table(done: Run) -> str:
    """Counters and stalls, a column for each milestone and the end."""
    columns = {**done.milestones, "end": done.counts}
    heads = [name if len(name) <= 16 else name[:15] + "~" for name in columns]
    rows = [("", *heads)]
    rows += [(n, *(getattr(c, n) for c in columns.values())) for n in ("cycles", "instructions")]
    for kind in ("counters", "stalls"):
        rows += [
            (name, *(getattr(c, kind)[name] for c in columns.values()))
            for name in getattr(done.counts, kind)
        ]
    return "\n".join(f"{name:<20}" + "".join(f"{v:>17}" for v in values) for name, *values in rows)


def as_dict(done: Run) -> dict:
    return {
        "status": done.status,
        "configuration": done.configuration,
        **asdict(done.counts),
        "milestones": {name: asdict(counts) for name, counts in done.milestones.items()},
        "figures": [asdict(figure) for figure in done.figures.values()],
        "curves": done.curves,
        "console": done.console,
    }


def show(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def run(args: argparse.Namespace) -> int:
    done = run_program(
        args.elf, args.boot, simulator=args.simulator, max_cycles=args.max_cycles, stdin=None,
        milestones=args.milestone, options=args.option, echo=None if args.json else show,
    )  # fmt: skip
    sys.stderr.write(done.messages)
    if args.json:
        print(json.dumps(as_dict(done), indent=1))
    elif args.counters:
        print(table(done))
    return done.status
