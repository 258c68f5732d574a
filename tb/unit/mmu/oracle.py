"""What an access may answer while tables and registers change under it."""

from dataclasses import dataclass, field

from model import Access, BusError, Fault, Features, Memory, Registers, Translation, translate


class Peek(Memory):
    """The words and troubles of another memory; swaps are answered and change nothing."""

    def __init__(self, memory: Memory):
        self.words, self.errors, self.swap_errors = memory.words, memory.errors, memory.swap_errors

    def compare_and_swap(self, address: int, expected: int, desired: int, size: int = 8) -> int:
        if address in self.swap_errors:
            raise BusError(f"swap of {address:#x}")
        return self.read(address, size)


@dataclass(frozen=True)
class Candidate:
    """An outcome that is allowed. `old`: with the tables of before the change whose invalidation is
    under way."""

    outcome: Translation | Fault
    registers: Registers
    old: bool


@dataclass
class Waiting:
    """An access that is not answered yet, the registers that it has seen, and what it may answer.
    `quiet`: neither registers nor what is mapped have changed since."""

    access: Access
    since: int
    registers: list[Registers]
    quiet: bool
    candidates: list[Candidate] = field(default_factory=list)


class Oracle:
    """Keeps what each access in flight may answer: the outcome with any registers and any tables
    that were in force while it waited. What an invalidation covers may not be answered from the
    tables of before once it is done."""

    def __init__(self, features: Features, memory: Memory, registers: Registers):
        self.features, self.memory, self.registers = features, memory, registers
        self._before: Memory | None = None
        self.waiting: dict[str, Waiting] = {}

    @property
    def invalidating(self) -> bool:
        return self._before is not None

    def begin(self, name: str, access: Access, cycle: int, past: Registers | None) -> None:
        """`past`: the registers until this cycle, if they change with it: the ASID of an access is
        that of the cycle before."""
        seen = [self.registers] if past is None else [self.registers, past]
        waiting = Waiting(access, cycle, seen, past is None and not self.invalidating)
        for registers in seen:
            self._allow(waiting, registers)
        self.waiting[name] = waiting

    def end(self, name: str) -> Waiting:
        return self.waiting.pop(name)

    def registers_changed(self, registers: Registers) -> None:
        self.registers = registers
        for waiting in self.waiting.values():
            waiting.registers.append(registers)
            waiting.quiet = False
            self._allow(waiting, registers)

    def tables_changed(self, before: Memory, owed: bool) -> None:
        """`before` is a copy of memory; `owed`: an invalidation begins, as something was changed
        that may be remembered."""
        if owed:
            self._before = before
        for waiting in self.waiting.values():
            if owed:
                waiting.quiet = False
                waiting.candidates = [
                    Candidate(c.outcome, c.registers, True) for c in waiting.candidates
                ]
            for registers in waiting.registers:
                outcome = self._outcome(registers, self.memory, waiting.access)
                waiting.candidates.append(Candidate(outcome, registers, False))

    def invalidated(self, covered) -> None:
        """`covered(va, asid)`: was it changed?"""
        self._before = None
        for waiting in self.waiting.values():
            waiting.candidates = [
                c
                for c in waiting.candidates
                if not (c.old and covered(waiting.access.va, c.registers.asid))
            ]

    def missing_update(self, waiting: Waiting) -> bool:
        """Would the access, which is answered, still change its descriptor? An answer without fault
        comes after the update of access flag and dirty state."""
        if not waiting.quiet or self.invalidating:
            return False
        outcome = self._outcome(self.registers, self.memory, waiting.access)
        return isinstance(outcome, Translation) and bool(outcome.changed)

    def _allow(self, waiting: Waiting, registers: Registers) -> None:
        for memory in (self.memory, self._before):
            if memory is not None:
                outcome = self._outcome(registers, memory, waiting.access)
                waiting.candidates.append(Candidate(outcome, registers, memory is self._before))

    def _outcome(self, registers: Registers, memory: Memory, access: Access) -> Translation | Fault:
        return translate(registers, self.features, Peek(memory), access)
