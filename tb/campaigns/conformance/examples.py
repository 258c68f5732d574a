"""The worked examples of the specification on the RTL: which configuration must answer as an
example says, and what happens there."""

from campaigns.soak.player import SETTLED, Answer, script
from model import Fault, translate
from model.examples import (
    EXAMPLES,
    SHARED_UPDATE,
    TWINS,
    access_of,
    features_of,
    memory_of,
    name_of,
    number,
    outcome_of,
    registers_of,
)
from model.steps import Ask, Delays, Flush, Load, Step, Store, Trap, Trouble
from model.tlbi import Invalidation
from model.tlbi import Kind as Tlbi
from support.configurations import CONFIGURATIONS

# Where an example is played that the translate port cannot ask.
ELSEWHERE = {
    "G15": "the requester checks alignment: tb/unit/cpu/asm/faults.S",
    "G19": "AT is an operation of the register block: tb/unit/mmu/cocotb_address_translate.py",
    "G20": "AT is an operation of the register block: tb/unit/mmu/cocotb_address_translate.py",
}
ELSEWHERE |= {f"{name}-twin": why for name, why in ELSEWHERE.items() if name != "G19"}


def completed(twin: dict) -> dict:
    """A twin with what the model says beside its address."""
    outcome = outcome_of(twin)
    changed = {hex(address): hex(value) for address, value in outcome.changed}
    reads = [hex(address) for address in outcome.reads]
    return twin | {"attr": hex(outcome.attr), "reads": reads, "mem_changed": changed}


CASES = [*EXAMPLES, *map(completed, TWINS)]


def _said(outcome) -> tuple:
    if isinstance(outcome, Fault):
        return (outcome.status, outcome.wnr, outcome.reads)
    return (outcome.pa, outcome.attr, outcome.reads, outcome.changed)


def configs(example: dict) -> list[str]:
    """Configurations in which the example has the outcome that it has with its own features."""
    if name_of(example) in ELSEWHERE:
        return []
    registers, access = registers_of(example), access_of(example)
    want = _said(outcome_of(example))
    return [
        name
        for name, c in CONFIGURATIONS.items()
        if c.unit
        and fits(example, c.features.pamax)
        and _said(translate(registers, c.features, _memory(example), access)) == want
    ]


def _memory(example: dict):
    """Memory that cannot swap is a property of the memory to hardware, of the features to the
    example."""
    memory = memory_of(example)
    if not features_of(example).atomic_ok:
        memory.no_swap = set(memory.words)
    return memory


def fits(example: dict, width: int) -> bool:
    """Do all addresses of the example exist?"""
    return not any(number(a) >> width for a in example["mem"])


def steps(example: dict) -> list[Step]:
    memory, access = _memory(example), access_of(example)
    race = None
    if name_of(example) == SHARED_UPDATE:
        race = (number(example["reads"][3]), 0)
    out: list[Step] = [Store(address, value) for address, value in memory.words.items()]
    out += [Trap(address, Trouble.ERROR) for address in memory.errors]
    out += [Trap(address, Trouble.NO_SWAP) for address in memory.no_swap]
    return [*out, Load(registers_of(example)), Flush(Invalidation(Tlbi.ALL)), Ask(access, race)]


def played(example: dict) -> list[str]:
    """Its lines for the program of the soak. A walk remembers no table while a sweep is under way,
    so the access waits for the end of that."""
    *before, ask = script(steps(example), Delays())
    return [*before, SETTLED, ask]


def difference(example: dict, answer: Answer, *, walk_cache: bool) -> str | None:
    """What the answer has that the example does not. A walk cache leaves only the leaf to be read
    again after a lost race."""
    got = {"reads": [hex(a) for a in answer.reads]}
    want = {"reads": example["reads"]}
    if walk_cache and name_of(example) == SHARED_UPDATE:
        want = {"reads": [*example["reads"][:4], example["reads"][-1]]}
    if "fault" in example:
        got |= {"fsc": answer.status if answer.fault else None}
        want |= {"fsc": number(example["fsc"])}
        if example["fault"] != "UnsupportedHWUpdate":
            got |= {"wnr": answer.wnr}
            want |= {"wnr": bool(example["wnr"])}
    else:
        got |= {"pa": None if answer.fault else answer.pa, "attr": answer.attr}
        want |= {"pa": number(example["pa"]), "attr": number(example["attr"])}
    if name_of(example) != SHARED_UPDATE:  # there the other agent's store is listed too
        got |= {"changed": {a: v & (1 << 64) - 1 for a, v in answer.writes}}
        want |= {"changed": {number(a): number(v) for a, v in example["mem_changed"].items()}}
    wrong = {key: (want[key], got[key]) for key in want if want[key] != got[key]}
    return str(wrong) if wrong else None
