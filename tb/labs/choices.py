"""Defects of the RTL as choices of a simulation: what a place of a file becomes is wrong with the
defect of one number, and right with any other (hardware/Defect.scala)."""

import re
from collections import namedtuple
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from support.root import ROOT

DEFECT = ROOT / "tb" / "labs" / "hardware" / "Defect.scala"


class Misfit(Exception):
    """The text of a place is not in its file exactly once, or what it becomes does not build."""


@dataclass(frozen=True)
class Place:
    """`old` becomes `new`, right behind the text `after` if that is given: an expression, or
    statements. White space does not count in the search."""

    old: str
    new: str
    after: str = ""

    def found(self, text: str) -> tuple[int, int]:
        """Where in the text of the file. Raises Misfit unless it is there once."""
        after, old = (
            r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", part)))
            for part in (self.after, self.old)
        )
        found = list(re.finditer(rf"{after}\s*({old})" if after else f"({old})", text))
        if len(found) != 1:
            raise Misfit(f"'{self.old}' is there {len(found)} times, must be once")
        return found[0].span(1)


# A place that was found, with the number of its defect. Sorted, one stands before what it holds.
Choice = namedtuple("Choice", "start minus_end number right wrong")


def around(choice: Choice, inner: str) -> str:
    """What is dropped or assigns is a statement."""
    name = "_root_.granule.labs.Defect"
    if not choice.wrong or ":=" in choice.right + choice.wrong:
        return f"{name}.instead({choice.number}) {{ {choice.wrong} }} {{ {inner} }}"
    return f"{name}({choice.number})({choice.wrong}, {inner})"


def with_choices(text: str, places: Iterable[tuple[int, Place]]) -> str:
    """The text of a file, each of the numbered places a choice; one may be inside of another."""
    choices = []
    for number, place in places:
        start, end = place.found(text)
        choices.append(Choice(start, -end, number, place.old, place.new))
    return written(text, sorted(choices), 0, len(text))


def written(text: str, left: Sequence[Choice], at: int, end: int) -> str:
    """A piece of the text."""
    pieces = []
    while left:
        first, stop = left[0], -left[0].minus_end
        inner = [choice for choice in left[1:] if choice.start < stop]
        if any(-choice.minus_end > stop for choice in inner):
            raise Misfit(f"'{first.right}' overlaps the place of another defect")
        pieces += [text[at : first.start], around(first, written(text, inner, first.start, stop))]
        at, left = stop, left[1 + len(inner) :]
    return "".join([*pieces, text[at:end]])
