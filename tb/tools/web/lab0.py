"""Lab 0 for the page: all of its sheets, and what a student must know, from the handout.

The page shows a sheet, compares answers with those that are in it and gives its tables to the RTL.
It draws nothing and translates nothing.
"""

import json
import re

from markdown import markdown

from labs import lab0
from labs.lab import Part, Prose, Word
from model import Kind
from support.root import ROOT
from tools.web.formats import NAMES

HANDOUT = ROOT / "docs" / "labs" / "lab0.md"
KNOW = "What you must know"
REGISTERS = ("tcr", "ttbr0", "ttbr1", "mair", "sctlr")
ACCESSES = {Kind.READ: "r", Kind.WRITE: "w"}


def question(part: Part) -> dict:
    shown = {"id": part.id, "points": part.points, "asks": part.asks}
    if isinstance(part, Prose):
        return shown
    choices = {"choices": part.choices} if isinstance(part, Word) else {}
    return shown | choices | {"form": part.form, "key": part.key, "hint": part.hint}


def walk(letter: str, of: lab0.Walk) -> dict:
    """Registers, tables and access, numbers as text in hexadecimal."""
    return {
        "granule": NAMES[of.geometry.granule],
        "tnsz": of.geometry.tnsz,
        "registers": {name: f"{getattr(of.registers, name):#x}" for name in REGISTERS},
        "access": ACCESSES[of.access.kind],
        "va": f"{of.access.va:#x}",
        "words": [[f"{at:#x}", f"{word:#018x}"] for at, word in sorted(of.memory.words.items())],
        "note": lab0.UPDATES if letter == "D" else "",
    }


def sheet(number: int) -> dict:
    predicted, walks = lab0.drawn(number)
    return {
        "predict": [question(part) for part in predicted],
        "walks": {
            letter: walk(letter, of) | {"parts": [question(part) for part in parts]}
            for letter, (of, parts) in walks.items()
        },
        "explain": [question(part) for part in lab0.WHY],
    }


def section(title: str) -> str:
    """Of the handout, as HTML."""
    found = re.search(rf"^## {title}\n(.*?)^## ", HANDOUT.read_text(), re.M | re.S)
    if not found:
        raise ValueError(f"{HANDOUT} has no section '{title}'; the page of lab 0 shows it")
    return markdown(found[1], extensions=["fenced_code"])


def content() -> bytes:
    sheets = [sheet(number) for number in range(lab0.SHEETS)]
    return json.dumps({"know": section(KNOW), "sheets": sheets}, separators=(",", ":")).encode()
