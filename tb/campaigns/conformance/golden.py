"""The golden model in place of the RTL: its answers to the accesses of a case."""

from collections.abc import Iterator

from campaigns.soak.player import Answer
from model import Fault, Features, Memory, Registers, translate
from model.steps import Ask, Load, Step, Store, Trap, Trouble


def answers(steps: list[Step], features: Features) -> Iterator[Answer]:
    """It has no TLB, so that invalidations do nothing."""
    memory, registers = Memory(), Registers(0)
    traps = {
        Trouble.ERROR: memory.errors,
        Trouble.SWAP_ERROR: memory.swap_errors,
        Trouble.NO_SWAP: memory.no_swap,
    }
    for step in steps:
        match step:
            case Store(address, value):
                memory.words[address] = value
            case Trap(address, trouble):
                traps[trouble].add(address)
            case Load(loaded):
                registers = loaded
            case Ask(access, race):
                memory.race = dict([race]) if race else {}
                outcome = translate(registers, features, memory, access)
                memory.race = {}
                if isinstance(outcome, Fault):
                    yield Answer(
                        fault=True, status=outcome.status, wnr=outcome.wnr, dirty=outcome.dirty,
                        pa=0, attr=0, cycles=0, reads=outcome.reads, writes=(),
                    )  # fmt: skip
                else:
                    yield Answer(
                        fault=False, status=0, wnr=False, dirty=False,
                        pa=outcome.pa, attr=outcome.attr, cycles=0,
                        reads=outcome.reads, writes=outcome.changed,
                    )  # fmt: skip
