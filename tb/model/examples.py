"""The worked examples of the specification (chapter 9) in machine form, as the model's objects.

Each example that ends in a fault has a twin: the same case with the control off that the example is
about. The access succeeds there, so that nothing but the control can have caused the fault.
"""

import json
from pathlib import Path

from .access import Access, Kind
from .faults import Fault
from .features import Features
from .memory import Memory
from .registers import Registers
from .walk import Translation, translate

DATA = Path(__file__).parents[1] / "data"
EXAMPLES = json.loads((DATA / "walk_examples.json").read_text())
# What the machine form does not carry, from the text of the examples.
SHARED_UPDATE = "F8"


def number(text: str) -> int:
    return int(text, 16)


def name_of(example: dict) -> str:
    return example["name"].split()[0]


def access_of(example: dict) -> Access:
    a = example["access"]
    return Access(number(example["va"]), Kind(a["kind"]), a["el"], bool(a["pan"]), a["aligned"])


class InterferingMemory(Memory):
    """Another agent clears the entry just before the walker's compare-and-swap (example F8)."""

    def compare_and_swap(self, address, expected, desired, size=8):
        self.words[address] = 0
        return super().compare_and_swap(address, expected, desired, size)


def features_of(example: dict) -> Features:
    given = dict(example["feat"])
    given["use_contiguous"] = given.pop("use_contig")
    return Features(**given)


def registers_of(example: dict) -> Registers:
    r = {key: number(value) for key, value in example["regs"].items()}
    return Registers(
        tcr=r["tcr"],
        ttbr0=r["ttbr0"],
        ttbr1=r["ttbr1"],
        mair=r["mair"],
        sctlr=r["M"] | r["C"] << 2 | r["WXN"] << 19 | r["EPAN"] << 57,
        tcr2=r["pie"] << 1 | r["d128"] << 5 | r["disch0"] << 14 | r["disch1"] << 15,
        pir=r["pir"],
        pire0=r["pire0"],
    )


def memory_of(example: dict) -> Memory:
    words = {number(a): number(v) for a, v in example["mem"].items()}
    aborts = example.get("fault") == "ExtAbortWalk"
    errors = [number(example["reads"][-1])] if aborts else []
    kind = InterferingMemory if name_of(example) == SHARED_UPDATE else Memory
    return kind(words, errors)


def inputs_of(example: dict) -> tuple[Registers, Features, Memory, Access]:
    """What `translate` takes, and `follow`."""
    return registers_of(example), features_of(example), memory_of(example), access_of(example)


def outcome_of(example: dict) -> Translation | Fault:
    return translate(*inputs_of(example))


def twin_of(example: dict) -> dict:
    """The example without its fault: what `twin` lists is different, and neither a bus error nor
    another agent interferes. Of the outcome it says the address only."""
    twin = example["twin"]
    outcome = ("fault", "fault_level", "fsc", "wnr", "reads", "mem_changed", "twin")
    other = {key: value for key, value in example.items() if key not in outcome}
    for part in ("regs", "mem", "access", "feat"):
        other[part] = example[part] | twin.get(part, {})
    name = f"{name_of(example)}-twin {twin['control']}"
    return other | {"name": name, "va": twin.get("va", example["va"]), "pa": twin["pa"]}


FAULTS = [example for example in EXAMPLES if "fault" in example]
TWINS = [twin_of(example) for example in FAULTS if "twin" in example]
