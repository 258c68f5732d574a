"""make lab, questions, answers, grade, measure: the labs of docs/labs."""

import json
import os
import shutil
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from labs import answers, judge  # noqa: E402
from labs.lab import Lab, Sheet, Trouble  # noqa: E402
from labs.labs import LABS  # noqa: E402
from labs.seed import Seed  # noqa: E402
from support.root import ROOT  # noqa: E402

STARTER = ROOT / "tb/labs/starter"
WIDTH = 66


def lab_and_seed(number: int, name: str) -> tuple[Lab, Seed]:
    if number not in LABS:
        there = ", ".join(map(str, LABS))
        raise click.ClickException(f"LAB is {number}; there are labs {there}: docs/labs/README.md")
    try:
        return LABS[number], Seed(name, number)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def sheet_of(lab: Lab, seed: Seed) -> Sheet:
    """A sheet whose answers are measured needs a simulator."""
    try:
        return lab.sheet(seed)
    except Trouble as trouble:
        raise click.ClickException(str(trouble)) from None


def shown(path: Path) -> str:
    """As one would type it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def title(lab: Lab) -> str:
    return f"Lab {lab.number}: {lab.title}"


def place(seed: Seed, folder: str | None) -> Path:
    return Path(folder).resolve() if folder else ROOT / "build" / "labs" / seed.folder


@click.group()
def main() -> None:
    """Labs: questions, starter code and grader."""


def common(command):
    """Arguments of every command."""
    command = click.option("--seed", required=True, help="the student's name")(command)
    return click.option("--lab", type=int, required=True, help="number of the lab")(command)


@main.command()
@common
@click.option("--handin", help="the folder to be made")
def start(lab: int, seed: str, handin: str | None) -> None:
    """Makes a student's folder. What is there already stays as it is."""
    chosen, drawn = lab_and_seed(lab, seed)
    folder = place(drawn, handin)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be made: {error.strerror}") from None
    text = answers.form(title(chosen), drawn, sheet_of(chosen, drawn))
    for name in (answers.NAME, *chosen.files):
        path = folder / name
        if path.exists():
            click.echo(f"  {shown(path)} is there already and stays as it is")
        elif name == answers.NAME:
            path.write_text(text)
            click.echo(f"  {shown(path)}")
        else:
            shutil.copyfile(STARTER / f"lab{lab}" / name, path)
            click.echo(f"  {shown(path)}")
    click.echo(f"{title(chosen)}: read docs/labs/lab{lab}.md, and then fill in these files.")
    if chosen.link:
        click.echo(f"In a browser, after make web: {chosen.link(drawn)}")


@main.command()
@common
@click.option("-c", "--key", is_flag=True, help="with the answers, for teachers")
def questions(lab: int, seed: str, key: bool) -> None:
    """Prints a student's questions."""
    chosen, drawn = lab_and_seed(lab, seed)
    sheet = sheet_of(chosen, drawn)
    filled = answers.key(sheet) if key else None
    click.echo(answers.form(title(chosen), drawn, sheet, filled), nl=False)


@main.command()
@click.option("--lab", type=int, required=True, help="number of the lab")
def measure(lab: int) -> None:
    """Prints what the simulator says about the figures of a lab."""
    chosen, _ = lab_and_seed(lab, "measure")
    if not chosen.measure:
        raise click.ClickException(f"lab {lab} measures nothing")
    try:
        click.echo(chosen.measure())
    except Trouble as trouble:
        raise click.ClickException(str(trouble)) from None


@main.command()
@common
@click.option("--handin", help="the student's folder; else the one that `make lab` makes")
@click.option("--json", "upload", type=click.Path(dir_okay=False), help="write the result there")
@click.option("-c", "--key", is_flag=True, help="print the answers too, for teachers")
def grade(lab: int, seed: str, handin: str | None, upload: str | None, key: bool) -> None:
    """Grades what a student has handed in."""
    chosen, drawn = lab_and_seed(lab, seed)
    sheet = sheet_of(chosen, drawn)
    try:
        work = answers.read(place(drawn, handin), sheet)
    except Trouble as trouble:
        raise click.ClickException(str(trouble)) from None
    click.echo(f"{title(chosen)}, {drawn.name}")
    if work.unreadable:
        click.echo(f"  {work.unreadable}")
    found = []
    for row in judge.rows(sheet, work):
        found.append(row)
        click.echo(line(row))
    total = judge.total(found)
    click.echo(summary(total))
    if key:
        print_key(sheet)
    if upload:
        save(Path(upload), chosen, drawn, found, total)


def line(row: judge.Row) -> str:
    """One row, and below it what was expected and what was there."""
    mark = {
        judge.State.PASSED: "ok",
        judge.State.FAILED: "WRONG",
        judge.State.NOT_RUN: "not run",
        judge.State.BY_HAND: "by hand",
    }[row.state]
    points = f"  /{row.of}" if row.state is judge.State.BY_HAND else f"{row.points:3}/{row.of}"
    plus = " (bonus)" if row.bonus else ""
    what = row.what if len(row.what) <= WIDTH else row.what[: WIDTH - 3] + "..."
    lines = [f"  {mark:<8} {points:>5}  {row.id}: {what}{plus}"]
    indent = "\n" + " " * 28
    for name, text in (("expected", row.expected), ("got", row.got)):
        if text and row.state is not judge.State.PASSED:
            lines.append(f"{'':19}{name:<8} " + text.replace("\n", indent))
    return "\n".join(lines)


def summary(total: judge.Total) -> str:
    text = f"total: {total.points} of {total.of} points"
    if total.bonus:
        text += f", and {total.bonus} of bonus"
    if total.by_hand:
        text += f"; {total.by_hand} more are given by a person who reads the answers"
    return text


def print_key(sheet: Sheet) -> None:
    click.echo("answers:")
    for name, answer in answers.key(sheet).items():
        click.echo(f"  {name} = {answer}")


def save(path: Path, lab: Lab, seed: Seed, found: list[judge.Row], total: judge.Total) -> None:
    text = json.dumps(
        {
            "lab": lab.number,
            "seed": seed.name,
            "points": total.points,
            "of": total.of,
            "bonus": total.bonus,
            "by_hand": total.by_hand,
            "rows": [row.as_json() for row in found],
        },
        indent=1,
    )
    try:
        path.write_text(text + "\n")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from None


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "100")
    main()
