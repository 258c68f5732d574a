"""A master of a translate port that never waits for an answer before it announces the next."""

import random

from drivers.ports import Answer, TranslateSignals
from model import Access


class Pipe:
    """Announces in each cycle what may be new in the next one, and so may send a command a cycle,
    as a CPU does. It takes the place of [TranslateSide] in a bench.

    rate    share of the announced commands that are sent.
    answer  to `answered`, of the cycle that ended; None: there was none.
    """

    def __init__(self, dut, name: str, rng: random.Random):
        self.name, self._rng = name, rng
        self._port = TranslateSignals(dut, name)
        self.rate = 1.0
        self.answer: Answer | None = None
        self.answered: Access | None = None
        self._held: Access | None = None
        self._announced: Access | None = None
        self._since = 0

    @property
    def busy(self) -> bool:
        return self._held is not None

    def edge(self, cycle: int) -> None:
        if self._port.ready.value:
            self.answer = self._port.answer(cycle, self._since)
            self.answered, self._held = self._held, None

    def take(self) -> tuple[Access, Answer] | None:
        """The access that was answered in the cycle that ended."""
        answer, self.answer = self.answer, None
        return (self.answered, answer) if answer else None

    def drive(self, cycle: int, following: Access, *, pause: bool = False) -> Access | None:
        """Drives the next cycle, and announces `following` for the one after it, unless a command
        waits. Returns the command if it is new."""
        fresh = None
        if not self.busy and self._announced and not pause and self._rng.random() < self.rate:
            fresh = self._held = self._announced
            self._since = cycle
            self._port.command(fresh)
        self._port.valid.value = int(self.busy)
        waits = self.busy and not fresh  # and is announced again
        self._announced = None if waits else following
        self._port.announce(self._held.va if waits else following.va)
        return fresh
