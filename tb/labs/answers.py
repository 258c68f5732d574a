"""The file of answers: written with the questions as comments, read as TOML."""

import json
import re
import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path

from labs.lab import Check, Handin, Part, Question, Sheet, Trouble
from labs.seed import Seed

NAME = "answers.toml"
MOST_BYTES = 1 << 20
WIDTH = 96


def comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())


def wrapped(text: str) -> str:
    """A question is prose: its lines are filled."""
    return "\n".join(textwrap.fill(line, WIDTH) for line in text.splitlines())


def form(title: str, seed: Seed, sheet: Sheet, filled: Mapping[str, object] | None = None) -> str:
    """The questions, each with a place for its answer; `filled` has answers for these places."""
    head = f"{title}\nfor {seed.name}\n\n{sheet.given}\n\nWrite each answer between its quotes."
    blocks = [comment(head)]
    for part in asked(sheet):
        answer = (filled or {}).get(part.id, "")
        points = f"{part.points} point{'' if part.points == 1 else 's'}"
        if isinstance(part, Question):
            hint, place = f"({part.form}; {points})", json.dumps(str(answer))
        else:
            hint = f"(some sentences; {points}, a person reads them)"
            place = f'"""\n{answer}"""'
        asks = comment(f"{wrapped(part.asks)}\n{hint}")
        blocks.append(f"{asks}\n{part.id} = {place}")
    return "\n\n".join(blocks) + "\n"


def asked(sheet: Sheet) -> list[Part]:
    return [part for part in sheet.parts if not isinstance(part, Check)]


def key(sheet: Sheet) -> dict[str, str]:
    """The right answers."""
    return {part.id: part.key for part in sheet.parts if isinstance(part, Question)}


def read(folder: Path, sheet: Sheet) -> Handin:
    """What is in a student's folder. A file that cannot be read takes only its own points."""
    if not folder.is_dir():
        raise Trouble(f"{folder} is no folder. `make lab` makes one; HANDIN=FOLDER names another.")
    try:
        return Handin(folder, parse(folder / NAME, sheet))
    except Trouble as trouble:
        return Handin(folder, unreadable=str(trouble))


def parse(path: Path, sheet: Sheet) -> dict[str, object]:
    """The answers of a file; raises Trouble where it is none."""
    names = {part.id for part in asked(sheet)}
    if not names:
        return {}
    if not path.is_file():
        raise Trouble(f"{path} is missing. It was made by `make lab`; its name must stay.")
    if path.stat().st_size > MOST_BYTES:
        raise Trouble(f"{path} has more than {MOST_BYTES} bytes. Only answers belong into it.")
    try:
        answers = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise Trouble(f"{path} is no text in UTF-8. Save it as plain text.") from None
    except (ValueError, RecursionError) as error:
        raise Trouble(f"{path}: {where(error)}") from None
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.") from None
    unknown = sorted(set(answers) - names)
    if unknown:
        raise Trouble(
            f"{path}: nothing is asked under '{unknown[0]}'. Change what is between quotes only; "
            "`make questions` prints the questions with their names."
        )
    return answers


def where(error: Exception) -> str:
    found = re.search(r"at line (\d+)", str(error))
    end = "the end" if isinstance(error, tomllib.TOMLDecodeError) else "an answer"
    place = f"line {found[1]}" if found else end
    return f'{place} is not understood. An answer is one line: index_1 = "17".'
