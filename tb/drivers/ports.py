"""The ports of the MMU, driven in lock-step: each object is told about every clock edge by
[MmuBench.step] and knows the signals of one port.

Values are sampled at the rising edge, as the hardware sees them; what is driven then is seen by the
hardware at the next edge.
"""

from dataclasses import dataclass, field

from drivers.signals import Answer, InvalidateSignals, TranslateSignals
from model import Access, BusError, Kind, Memory
from model.memory import NoSwap
from model.tlbi import Invalidation
from support.parts import Pins


class TranslateSide:
    """Master of one translate port that asks now and then. It announces an address for two cycles
    before it asks, as the context may have changed in the first, and until it is answered.
    [unit.mmu.pipe.Pipe] never pauses."""

    def __init__(self, dut, name: str):
        self.name = name
        self._port = TranslateSignals(dut, name)
        self._announces = 0
        self.busy = False
        self.answer: Answer | None = None
        self._since = 0

    def request(self, access: Access, cycle: int, *, untranslated: bool = False) -> None:
        if self.busy:
            raise RuntimeError(f"{self.name}: a request is held until it is answered")
        port = self._port
        port.command(access, untranslated=untranslated)
        port.announce(access.va)
        self.busy, self.answer, self._announces = True, None, 2
        self._since = cycle + self._announces

    def edge(self, cycle: int) -> None:
        port = self._port
        if self._announces:
            self._announces -= 1
            port.valid.value = int(self._announces == 0)
            return
        if not self.busy or not port.ready.value:
            return
        self.answer = port.answer(cycle, self._since)
        self.busy = False
        port.valid.value = 0


class AddressTranslateSide:
    """Master of the port of AT; `par` is the answer to `access`."""

    def __init__(self, dut):
        self._pins = Pins(dut)
        self._pins.put(at_valid=0)
        self.busy, self.par = False, 0

    def request(self, access: Access) -> None:
        asked = {"va": access.va, "write": access.kind is Kind.AT_WRITE, "el1": access.el,
                 "pan": access.pan}  # fmt: skip
        self._pins.put(at_valid=1, **{f"at_payload_{key}": int(v) for key, v in asked.items()})
        self.busy = True

    def edge(self) -> None:
        if self.busy and self._pins.get("at_ready"):
            self.par = self._pins.get("par")
            self._pins.put(at_valid=0)
            self.busy = False


@dataclass
class Read:
    """One descriptor access: its address, the cycles of its command and of its answer, and for a
    compare-and-swap what was expected and what should replace it."""

    address: int
    asked: int
    answered: int = 0
    data: int = 0
    error: bool = False
    unsupported: bool = False
    cacheable: bool = True
    size: int = 8
    swap: tuple[int, int] | None = None


@dataclass
class WalkMemory:
    """Slave of the walker's memory port.

    latency    cycles from the command to the answer: a number, or a function of nothing.
    ready      may the command be accepted in this cycle? None: always.
    holds      cycles that a command waits until it is accepted.
    late       memory is accessed when the answer is given, not when the command is accepted.
    reads      descriptor reads; swaps: the compare-and-swaps, lost ones included.
    """

    dut: object
    memory: Memory
    latency: object = 1
    ready: object = None
    holds: int = 0
    late: bool = False
    reads: list[Read] = field(default_factory=list)
    swaps: list[Read] = field(default_factory=list)

    def __post_init__(self):
        dut = self.dut
        self._cmd_valid = dut.io_walk_cmd_valid
        self._cmd_ready = dut.io_walk_cmd_ready
        self._address = dut.io_walk_cmd_payload_address
        # What a configuration does not need, its port does not have.
        self._cacheable = dut.io_walk_cmd_payload_cacheable
        self._swap, self._size, self._expected, self._desired, self._unsupported = (
            getattr(dut, f"io_walk_{name}", None)
            for name in ("cmd_payload_swap", "cmd_payload_size", "cmd_payload_expected",
                         "cmd_payload_desired", "rsp_payload_unsupported")
        )  # fmt: skip
        self._rsp_valid = dut.io_walk_rsp_valid
        self._data = dut.io_walk_rsp_payload_data
        self._error = dut.io_walk_rsp_payload_error
        self._rsp_valid.value = 0
        self._cmd_ready.value = 1
        self.offered = True  # what cmd.ready is in this cycle
        self.answering = False  # what rsp.valid is in this cycle
        self.open: Read | None = None
        self._countdown = 0
        self._held = 0  # cycles that the command has waited

    def edge(self, cycle: int) -> None:
        if self.open and not self.answering and self._cmd_valid.value:
            raise AssertionError("the walker asked again before the answer that is due")
        if self.answering:
            self._rsp_valid.value = 0
            self._data.value = ~self.open.data & (1 << len(self._data)) - 1  # means nothing now
            self.answering = False
            self.open = None
        if self.offered and self._cmd_valid.value:
            self.open = self._command(cycle)
            if not self.late:
                self._access(self.open)
            self._countdown = self.latency() if callable(self.latency) else self.latency
        if self.open:
            self._countdown -= 1
            if self._countdown == 0:
                self._give(self.open, cycle)
        self._offer(self.open is None or self.answering)

    def _command(self, cycle: int) -> Read:
        read = Read(int(self._address.value), cycle, cacheable=bool(self._cacheable.value))
        if self._size is not None:
            read.size = 4 << int(self._size.value)
        if self._swap is not None and self._swap.value:
            ones = (1 << 8 * read.size) - 1
            read.swap = (int(self._expected.value) & ones, int(self._desired.value) & ones)
        (self.swaps if read.swap else self.reads).append(read)
        return read

    def _access(self, read: Read) -> None:
        try:
            if read.swap:
                read.data = self.memory.compare_and_swap(read.address, *read.swap, read.size)
            else:
                read.data = self.memory.read(read.address, read.size)
        except BusError:
            read.data, read.error = 0xDEAD_BEEF_DEAD_BEEF, True
        except NoSwap:
            read.unsupported = True

    def _give(self, read: Read, cycle: int) -> None:
        if self.late:
            self._access(read)
        read.answered = cycle + 1
        self._data.value = read.data
        self._error.value = int(read.error)
        if self._unsupported is not None:
            self._unsupported.value = int(read.unsupported)
        self._rsp_valid.value = 1
        self.answering = True

    def _offer(self, free: bool) -> None:
        self._held = self._held + 1 if free and self._cmd_valid.value else 0
        offer = free and self._held >= self.holds and (self.ready is None or bool(self.ready()))
        if offer != self.offered:
            self._cmd_ready.value = int(offer)
            self.offered = offer


class InvalidateSide:
    """Master of the invalidation port. `commands` were accepted, `completions` of them are done."""

    def __init__(self, dut):
        self._port = InvalidateSignals(dut)
        self.pending = False  # a command waits for ready
        self.commands = self.completions = 0
        self.asked = self.accepted = self.done = 0

    @property
    def busy(self) -> bool:
        return self.pending or self.completions < self.commands

    @property
    def ready(self) -> bool:
        return bool(self._port.ready.value)

    def request(self, op: Invalidation, cycle: int) -> None:
        """Offers a command from the next cycle on; the port is idle."""
        if self.busy:
            raise RuntimeError("an invalidation is under way; wait for it, or use chain")
        self.chain(op, cycle)

    def chain(self, op: Invalidation, cycle: int) -> None:
        """Offers a command while the one before may still be under way."""
        if self.pending:
            raise RuntimeError("a command is already offered")
        self._port.command(op)
        self._port.valid.value = 1
        self.pending, self.asked = True, cycle

    def edge(self, cycle: int) -> None:
        if self.pending and self._port.ready.value:
            self._port.valid.value = 0
            self.pending, self.accepted = False, cycle
            self.commands += 1
        if self._port.done.value:
            self.completions += 1
            self.done = cycle
            if self.completions > self.commands:
                raise AssertionError("done without a command")

    @property
    def cycles(self) -> int:
        """From the first cycle of the command to that of `done`, both included."""
        return self.done - self.asked
