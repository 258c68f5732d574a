"""What a lab's program on the RTL says of a student's code: `BAD WHAT WHERE EXPECTED GOT` of the
first thing that is wrong, `fault ADDRESS` where it crashed."""

from collections.abc import Mapping

from labs.lab import Trouble, Verdict
from labs.machine import Output

# For each WHAT: what was expected and what was got, in words with {where}, {expected} and {got}.
Words = Mapping[str, tuple[str, str]]


def verdict(output: Output, words: Words, where: str = "") -> Verdict:
    """`where` is put before what is told."""
    for what, (right, wrong) in words.items():
        for place, expected, got in output.values(f"BAD {what}"):
            numbers = {"where": place, "expected": expected, "got": got}
            return Verdict(False, where + right.format(**numbers), wrong.format(**numbers))
    for (address,) in output.values("fault"):
        raise Trouble(f"{where}your code made an access to {address:#x} that faults")
    if output.status:
        return Verdict(False, "the program ends well", f"status {output.status}")
    return Verdict(True)
