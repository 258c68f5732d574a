"""What an access or AT answers under given registers, by the golden models of translation and of
physical memory protection."""

from dataclasses import dataclass
from functools import cached_property

from drivers.pmp import ABORT, NEEDS, Guarded
from model import Access, Fault, Features, Kind, Registers, translate
from model.bits import mask
from model.pmp import Pmp
from model.walk import par

TRANSLATED, MACHINE, BARE = range(3)  # what an access is; the last two have no translation
Writes = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Ask:
    """An access, or AT if its kind is one of AT's."""

    access: Access
    mode: int = TRANSLATED

    @property
    def is_at(self) -> bool:
        return self.access.kind.address_translation

    def __str__(self) -> str:
        a = self.access
        where = ("", " of M-mode", " in Bare")[self.mode]
        return f"{a.kind.value} {a.va:#x} el{a.el}{where}"


@dataclass(frozen=True)
class Inputs:
    """All register inputs. `pmp`: pmpcfg's byte and pmpaddr of each entry."""

    registers: Registers
    pmp: tuple[tuple[int, int], ...] = ()
    htab: int = 0

    @cached_property
    def protection(self) -> Pmp:
        return Pmp.of(self.pmp) if self.pmp else Pmp(0)


@dataclass(frozen=True)
class Expected:
    """`said`: fault with status, wnr and dirty, or address and attributes, or PAR; `changed`: words
    that the walk updates."""

    said: tuple
    changed: Writes = ()

    def agrees(self, said: tuple, writes: Writes) -> bool:
        """Attributes without translation are the memory map's, and are not judged."""
        if said[0] == self.said[0] == "address" and self.said[2] is None:
            said = (*said[:2], None)
        return said == self.said and writes == self.changed

    def __str__(self) -> str:
        return text(self.said) + (f" writes {_list(self.changed)}" if self.changed else "")


def text(said: tuple) -> str:
    kind, *values = said
    return kind + " " + " ".join(f"{v:#x}" for v in values if v is not None)


def _list(writes: Writes) -> str:
    return ", ".join(f"{address:#x}={value:#x}" for address, value in writes)


def _fault(status: int, wnr: bool, dirty: bool = False) -> tuple:
    return "fault", status, int(wnr), int(dirty)


@dataclass(frozen=True)
class Oracle:
    """block: the MMU is in the block with registers, in which no register that turns translation
    on makes every access one of Bare."""

    features: Features
    protected: bool
    block: bool = False

    def expected(self, inputs: Inputs, words: dict[int, int], ask: Ask) -> Expected:
        access, mode, registers = ask.access, ask.mode, inputs.registers
        if self.block and mode == TRANSLATED and not registers.translating:
            mode = BARE
        if mode != TRANSLATED:
            pa = access.va & mask(32)
            return self._protect(inputs, access, ("address", pa, None), mode == MACHINE)
        memory = Guarded(words, inputs.protection)
        outcome = translate(registers, self.features, memory, access)
        if ask.is_at:
            d128 = registers.d128 and self.features.d128 and not registers.mode
            return Expected(("par", par(outcome, d128=d128)))
        if isinstance(outcome, Fault):
            return Expected(_fault(outcome.status, outcome.wnr, outcome.dirty))
        said = "address", outcome.pa, outcome.attr
        return self._protect(inputs, access, said, False, outcome.changed)

    def _protect(self, inputs, access, said, machine: bool, changed: Writes = ()) -> Expected:
        needs = NEEDS[access.kind]
        if self.protected:
            rights = inputs.protection.rights(said[1] & ~3, 4, machine=machine)
            if rights & needs != needs:
                return Expected(_fault(ABORT, access.kind is Kind.WRITE), changed)
        return Expected(said, changed)
