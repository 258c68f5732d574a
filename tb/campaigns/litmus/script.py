"""A shape in the words of soak/agents.h, and what comes back in the words of the shape.

Page x has two levels of tables: 4K pages, 30-bit addresses. Its ASID is 1.
"""

from itertools import product

from campaigns.litmus import steps
from campaigns.litmus.shapes import DENIED, FAULT2, FAULT3, OK, Shape
from campaigns.litmus.steps import Pte, Step, Table, Value
from campaigns.soak.player import registers_line
from drivers.address_space import AddressSpace
from drivers.signals import READ, WRITE
from model import Registers, tlbi
from model.registers import HA, HD
from model.tables import AF, DBM, NG, READ_ONLY, VALID_PAGE, VALID_TABLE, ap

VA = 0x0123_4000
ASID, TNSZ, GRANULE = 1, 34, 12
SPACE = AddressSpace(GRANULE, TNSZ, asid=ASID)
SPACE.map(VA, 0)  # makes the tables
PMD, PTE = SPACE.tables.slot(VA, 2), SPACE.tables.slot(VA, 3)
TABLE = PTE & -(1 << GRANULE)
OTHER = TABLE + (1 << GRANULE)  # the table of pte_2
ADDRESS = {
    "pmd_x": PMD, "pte_x": PTE, "pte_2": OTHER | PTE - TABLE,
    "a": 0x9000_0000, "b": 0x9000_1000, "flag": 0x9000_2000,
}  # fmt: skip
OPERAND = tlbi.va_operand(VA, ASID)
FAULT, WRITTEN = 1 << 63, 1 << 62
FAULTS = {0x06: FAULT2, 0x07: FAULT3, 0x0F: DENIED}


def word(value: Value) -> int:
    """The descriptor, or the word of data, in memory."""
    match value:
        case Pte(oa, valid, af, db, dbm):
            flags = af * AF | (1 - db) * READ_ONLY | dbm * DBM
            return ADDRESS[oa] | NG | ap(0b01) | VALID_PAGE - 1 + valid | flags
        case Table(pte):
            return ADDRESS[pte] & -(1 << GRANULE) | VALID_TABLE
        case _:
            return value


PAGES = [Pte(oa, *flags) for oa in "ab" for flags in product((0, 1), repeat=4)]
VALUES = {word(v): v for v in [*PAGES, Table("pte_x"), Table("pte_2")]}
REGISTERS = registers_line(Registers(**SPACE.registers | {"tcr": SPACE.registers["tcr"] | HA | HD}))


def names_of(shape: Shape) -> list[str]:
    """Of the registers, by number: in the order in which steps name them."""
    every = (step for program in shape.agents.values() for step in program)
    return list(dict.fromkeys(step.reg for step in every if hasattr(step, "reg")))


def _step(step: Step, regs: list[str]) -> str:
    match step:
        case steps.Store(cell, value):
            return f"s {ADDRESS[cell]:x} {word(value):x}"
        case steps.Load(cell, reg):
            return f"l {ADDRESS[cell]:x} {regs.index(reg):x}"
        case steps.Swap(cell, value, reg):
            return f"x {ADDRESS[cell]:x} {word(value):x} {regs.index(reg):x}"
        case steps.Clear(cell):
            return f"c {ADDRESS[cell]:x}"
        case steps.Await(cell, value):
            return f"a {ADDRESS[cell]:x} {word(value):x}"
        case steps.Barrier():
            return "d"
        case steps.Flush(everything, last):
            kind = tlbi.Kind.ALL if everything else tlbi.Kind.VA
            return f"i {int(kind):x} {last:d} {OPERAND:x}"
        case steps.Access(reg, write):
            kind = READ if write is None else WRITE
            return f"t 0 {kind:x} {VA:x} {regs.index(reg):x} {write or 0:x}"


def warm(shape: Shape) -> list[int]:
    """Values of the delay `warm` that differ: memory as it is at first must let a TLB know it."""
    pmd, pte = shape.memory["pmd_x"], shape.memory["pte_x"]
    if not isinstance(pmd, Table):
        return [0]
    return [0, 1, 2] if isinstance(pte, Pte) and pte.valid and pte.af else [0, 2]


def script(shape: Shape) -> list[str]:
    """All but the runs."""
    regs = names_of(shape)
    lines = [REGISTERS, f"V {int(tlbi.Kind.VA):x} {OPERAND:x}", f"N {len(regs):x}"]
    lines += [f"M {ADDRESS[cell]:x} {word(value):x}" for cell, value in shape.memory.items()]
    if len(warm(shape)) > 1:
        lines.append(f"W 0 {READ:x} {VA:x}")
    for program in shape.agents.values():
        lines += ["B", *(_step(step, regs) for step in program)]
    return lines


def _register(value: int) -> Value | str:
    if value & FAULT:
        return FAULTS.get(value ^ FAULT, f"fault {value ^ FAULT:#04x}")
    return OK if value == WRITTEN else VALUES.get(value, value)


def end_of(shape: Shape, text: str) -> frozenset:
    """One end, as the model writes it."""
    registers, cells = ([int(w, 16) for w in part.split()] for part in text.split("/"))
    return frozenset(
        {(name, _register(v)) for name, v in zip(names_of(shape), registers, strict=True)}
        | {(name, VALUES.get(v, v)) for name, v in zip(shape.memory, cells, strict=True)}
    )
