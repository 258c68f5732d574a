"""make lab, questions, answers, explore, grade, measure: the labs of docs/labs. It needs Python
3.11 and no other package, so that it runs wherever a class works."""

import argparse
import json
import os
import shutil
import signal
import sys
from dataclasses import asdict
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 (this runs where nothing was set up)
    sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from labs import answers, judge, machine  # noqa: E402
from labs.lab import Handin, Lab, Trouble  # noqa: E402
from labs.labs import LABS  # noqa: E402
from labs.seed import Seed  # noqa: E402
from support.root import ROOT  # noqa: E402

STARTER = ROOT / "tb/labs/starter"
WIDTH = 66


def lab_and_seed(number: str, name: str) -> tuple[Lab, Seed]:
    chosen = {str(lab.number): lab for lab in LABS.values()}.get(number)
    if not chosen:
        there = ", ".join(map(str, LABS))
        raise Trouble(f"LAB is '{number}'; there are labs {there}: docs/labs/README.md")
    try:
        return chosen, Seed(name, chosen.number)
    except ValueError as error:
        raise Trouble(str(error)) from None


def needs_checkout(lab: Lab) -> None:
    """Raises Trouble in the archive of a class, which has nothing that builds RTL."""
    if lab.hardware and not machine.checkout():
        raise Trouble(
            f"lab {lab.number} is a lab of hardware: it needs Java, Mill and Verilator, and so a "
            "checkout of the project. This archive has only what was built."
        )


def shown(path: Path) -> str:
    """As one would type it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def title(lab: Lab) -> str:
    return f"Lab {lab.number}: {lab.title}"


def place(seed: Seed, folder: str | None) -> Path:
    return Path(folder).resolve() if folder else ROOT / "build" / "labs" / seed.folder


def start(args: argparse.Namespace) -> None:
    """Makes a student's folder. What is there already stays as it is."""
    chosen, drawn = lab_and_seed(args.lab, args.name)
    needs_checkout(chosen)
    folder = place(drawn, args.handin)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"{folder} cannot be made: {error.strerror}") from None
    text = answers.form(title(chosen), drawn, chosen.sheet(drawn))
    for name in (answers.NAME, *chosen.files):
        path = folder / name
        stays = path.exists()
        if not stays and name == answers.NAME:
            path.write_text(text)
        elif not stays:
            shutil.copyfile(STARTER / f"lab{chosen.number}" / name, path)
        print(f"  {shown(path)}" + " is there already and stays as it is" * stays)
    print(f"{title(chosen)}: read docs/labs/lab{chosen.number}.md, and then fill in these files.")
    if chosen.browser and (said := chosen.browser(drawn)):
        print(said)


def questions(args: argparse.Namespace) -> None:
    """Prints a student's questions."""
    chosen, drawn = lab_and_seed(args.lab, args.name)
    sheet = chosen.sheet(drawn)
    filled = answers.key(sheet) if args.key else None
    print(answers.form(title(chosen), drawn, sheet, filled), end="")


def measure(args: argparse.Namespace) -> None:
    """Prints what the simulator says about the figures of a lab."""
    chosen, _ = lab_and_seed(args.lab, "measure")
    if not chosen.measure:
        raise Trouble(f"lab {args.lab} measures nothing")
    print(chosen.measure())


def explore(args: argparse.Namespace) -> None:
    """Runs what a student tries out on the student's machine."""
    chosen, drawn = lab_and_seed(args.lab, args.name)
    if not chosen.explore:
        raise Trouble(f"lab {args.lab} has nothing to explore")
    print(chosen.explore(drawn, Handin(place(drawn, args.handin))))


def check(args: argparse.Namespace) -> None:
    """Looks for the programs that labs need."""
    machine.check()
    print("all that labs need is here")


def grade(args: argparse.Namespace) -> None:
    """Grades what a student has handed in."""
    chosen, drawn = lab_and_seed(args.lab, args.name)
    needs_checkout(chosen)
    sheet = chosen.sheet(drawn)
    work = answers.read(place(drawn, args.handin), sheet)
    print(f"{title(chosen)}, {drawn.name}")
    if work.unreadable:
        print(f"  {work.unreadable}")
    found = []
    for row in judge.rows(sheet, work, key=args.key):
        found.append(row)
        print(line(row), flush=True)
    total = judge.total(found)
    print(summary(total))
    if args.key:
        print(
            "answers:", *(f"{name} = {key}" for name, key in answers.key(sheet).items()), sep="\n  "
        )
    if args.json:
        save(args.json, chosen, drawn, found, total)


def line(row: judge.Row) -> str:
    """One row, and below it what was expected and what was there."""
    mark = {judge.PASSED: "ok", judge.FAILED: "WRONG"}.get(row.state, row.state)
    points = f"  /{row.of}" if row.state is judge.BY_HAND else f"{row.points:3}/{row.of}"
    plus = " (bonus)" if row.bonus else ""
    what = row.what if len(row.what) <= WIDTH else row.what[: WIDTH - 3] + "..."
    lines = [f"  {mark:<8} {points:>5}  {row.id}: {what}{plus}"]
    indent = "\n" + " " * 28
    for name, text in (("expected", row.expected), ("got", row.got)):
        if text and row.state is not judge.PASSED:
            lines.append(f"{'':19}{name:<8} " + text.replace("\n", indent))
    return "\n".join(lines)


def summary(total: judge.Total) -> str:
    text = f"total: {total.points} of {total.of} points"
    if total.bonus:
        text += f", and {total.bonus} of bonus"
    if total.by_hand:
        text += f"; {total.by_hand} more are given by a person who reads the answers"
    return text


def save(path: Path, lab: Lab, seed: Seed, found: list[judge.Row], total: judge.Total) -> None:
    told = {"lab": lab.number, "seed": seed.name, **asdict(total)}
    told["rows"] = [asdict(row) for row in found]
    try:
        path.write_text(json.dumps(told, indent=1) + "\n")
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}") from None


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(description="Labs: questions, starter code and grader.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    parsers = {}
    for run in (start, questions, measure, explore, check, grade):
        parsers[run] = commands.add_parser(run.__name__, help=run.__doc__)
        parsers[run].set_defaults(run=run)
    for run in (start, questions, measure, explore, grade):
        parsers[run].add_argument("--lab", required=True, help="number of the lab")
    for run in (start, questions, explore, grade):
        parsers[run].add_argument("--name", required=True, help="the student's name")
    for run in (start, explore, grade):
        parsers[run].add_argument("--handin", help="not the folder that `make lab` makes")
    for run in (questions, grade):
        parsers[run].add_argument("-c", "--key", action="store_true", help="with the answers")
    parsers[grade].add_argument("--json", type=Path, help="write the result there")
    return top


def main() -> None:
    """What a person can mend is a sentence, and status 1."""
    args = parser().parse_args()
    try:
        args.run(args)
        sys.stdout.flush()
    except Trouble as trouble:
        sys.exit(f"Error: {trouble}")
    except BrokenPipeError:  # `| head`: nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)


if __name__ == "__main__":
    main()
