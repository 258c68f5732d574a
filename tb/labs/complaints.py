"""What a lab's program on the RTL says of a student's code: `BAD WHAT WHERE EXPECTED GOT` of the
first thing that is wrong, `fault ADDRESS` where it crashed."""

from collections.abc import Callable, Iterable, Mapping

from labs.lab import Handin, Trouble, Verdict
from labs.machine import MOST_CYCLES, Output, on_simulator

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


def tried(
    program: str, name: str, words: Words, granules: Iterable[str], most: int = MOST_CYCLES
) -> Callable[[Handin], Verdict]:
    """One experiment of the program at every granule."""

    def judge(handin: Handin) -> Verdict:
        for granule in granules:
            elf = handin.folder / "build" / program
            found = verdict(on_simulator(elf, f"{granule} {name}", most), words, f"{granule}: ")
            if not found.passed:
                return found
        return Verdict(True)

    return judge
