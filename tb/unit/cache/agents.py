"""Drivers of the ports of a cache, one object a port.

`drive` runs in the middle of each cycle, when the registers have settled; `look`, after that, sees
what will happen at the next clock edge. Signals are found by the port's prefix.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from cocotb.triggers import Event

from support.parts import Pins

Op = IntEnum("Op", "LOAD STORE LR SC AMO CLEAN INVALIDATE FLUSH", start=0)
BUS_ERROR = 0b010000


@dataclass
class Translation:
    """Answer of the translate port after `delay` cycles, or as long as `delay()` says."""

    pa: int = 0
    cacheable: bool = True
    fault: int | None = None
    wnr: bool = False
    delay: int | Callable[[], bool] = 0


@dataclass
class Request:
    """One request on any port with what became of it."""

    va: int = 0
    op: int = Op.LOAD
    size: int = 2
    data: int = 0
    funct: int = 0
    swap: bool = False
    words: int = 1  # log2 of the words of a walker's access
    cacheable: bool = True
    expected: int = 0
    accepted: int = -1  # cycle of the handshake
    answered: int = -1
    dropped: bool = False
    value: int = 0
    fault: int | None = None
    wnr: bool = False
    error: bool = False
    unsupported: bool = False
    done: Event = field(default_factory=Event)

    @property
    def latency(self) -> int:
        return self.answered - self.accepted


class TranslateAgent:
    """Answers with what `translate(va, access, untranslated)` returns; default: PA = VA."""

    def __init__(self, dut, prefix="io_translate"):
        self.port = Pins(dut, prefix)
        self.port.put(cmd_ready=0)
        self.translate = lambda va, access, untranslated: Translation(va & 0xFFFF_FFFF)
        self.asked = []  # (va, access, untranslated), each once
        self._pending: Translation | None = None
        self._waited = 0

    def drive(self) -> None:
        p = self.port
        if not p.get("cmd_valid"):
            p.put(cmd_ready=0)
            return
        if self._pending is None:
            request = (
                p.get("cmd_payload_va"),
                p.get("cmd_payload_access"),
                bool(p.get("cmd_payload_untranslated")),
            )
            self._pending = self.translate(*request)
            self._waited = 0
            self.asked.append(request)
        t = self._pending
        if t.delay() if callable(t.delay) else t.delay > self._waited:
            self._waited += 1
            p.put(cmd_ready=0)
            return
        p.put(
            cmd_ready=1,
            rsp_pa=t.pa,
            rsp_attributes_cacheable=t.cacheable,
            rsp_attributes_device=not t.cacheable,
            rsp_fault=t.fault is not None,
            rsp_status=t.fault or 0,
            rsp_wnr=t.wnr,
        )
        self._pending = None


class VacancyAgent:
    """Says where memory is missing: from `first` on, if that is an address."""

    def __init__(self, dut, prefix="io_vacancy"):
        self.port = Pins(dut, prefix)
        self.first: int | None = None
        self.drive()

    def drive(self) -> None:
        missing = self.first is not None and self.port.get("pa") >= self.first
        self.port.put(vacant=missing)


class CpuAgent:
    """Sends requests in order. `idle()`: offers no new one now. `drops`: requests that are
    accepted up to the cycle of a faulting answer get none, and data comes a cycle after its answer
    (data port). `ahead`: how many may be accepted before the answer of the one before.
    """

    def __init__(self, dut, prefix: str, fields: dict[str, str], drops: bool, ahead: int = 0):
        self.port, self.fields, self.drops = Pins(dut, prefix), fields, drops
        self.ahead = ahead
        self._awaits_data: Request | None = None
        self._offered: Request | None = None
        self.port.put(cmd_valid=0)
        self.queue: deque[Request] = deque()
        self.flying: deque[Request] = deque()
        self.idle = lambda: False
        self.on_answer = lambda request: None

    @property
    def busy(self) -> bool:
        return bool(self.queue or self.flying or self._awaits_data)

    def drive(self) -> None:
        if not self.queue or (self.queue[0] is not self._offered and self.idle()):
            self._offered = None
            self.port.put(cmd_valid=0)
            return
        request = self._offered = self.queue[0]
        self.port.put(
            cmd_valid=1, **{f"cmd_payload_{k}": getattr(request, v) for k, v in self.fields.items()}
        )

    def faults(self) -> bool:
        """A faulting answer in this cycle: the command that is offered may be withdrawn."""
        return bool(self.port.get("rsp_valid") and self.port.get("rsp_payload_fault_valid"))

    def look(self, cycle: int) -> None:
        p = self.port
        faulted = False
        if self._awaits_data:
            self._end(self._awaits_data)
            self._awaits_data = None
        if p.get("rsp_valid"):
            assert self.flying, "an answer without a request"
            r = self.flying.popleft()
            r.answered = cycle
            faulted = bool(p.get("rsp_payload_fault_valid"))
            if faulted:
                r.fault = p.get("rsp_payload_fault_status")
                r.wnr = bool(p.get("rsp_payload_fault_wnr"))
                while self.drops and self.flying:
                    self._drop(self.flying.popleft())
            if self.drops and not faulted:
                self._awaits_data = r
            else:
                self._end(r)
        if p.get("cmd_valid") and p.get("cmd_ready"):
            if len(self.flying) > self.ahead:
                raise AssertionError("accepted before the answer of the one before")
            r = self.queue.popleft()
            r.accepted = cycle
            if faulted and self.drops:
                self._drop(r)
            else:
                self.flying.append(r)

    def _end(self, request: Request) -> None:
        if request.fault is None:
            request.value = self.port.get("rsp_payload_data")
        self.on_answer(request)
        request.done.set()

    def _drop(self, request: Request) -> None:
        request.dropped = True
        request.done.set()


class WalkAgent:
    """The walker: one request at a time."""

    def __init__(self, dut, prefix="io_walk"):
        self.port = Pins(dut, prefix)
        self.port.put(cmd_valid=0)
        self.queue: deque[Request] = deque()
        self.flying: Request | None = None
        self.on_answer = lambda request: None

    @property
    def busy(self) -> bool:
        return bool(self.queue or self.flying)

    def drive(self) -> None:
        if not self.queue:
            self.port.put(cmd_valid=0)
            return
        r = self.queue[0]
        self.port.put(
            cmd_valid=1,
            cmd_payload_address=r.va,
            cmd_payload_size=r.words,
            cmd_payload_cacheable=r.cacheable,
            cmd_payload_swap=r.swap,
            cmd_payload_expected=r.expected,
            cmd_payload_desired=r.data,
        )

    def look(self, cycle: int) -> None:
        p = self.port
        if p.get("rsp_valid"):
            r = self.flying
            assert r is not None, "an answer of the walker's port without a request"
            r.answered = cycle
            r.error = bool(p.get("rsp_payload_error"))
            r.unsupported = bool(p.get("rsp_payload_unsupported"))
            r.value = p.get("rsp_payload_data") & (1 << (32 << r.words)) - 1  # above: anything
            self.flying = None
            self.on_answer(r)
            r.done.set()
        if p.get("cmd_valid") and p.get("cmd_ready"):
            assert self.flying is None, "accepted before the answer of the one before"
            self.flying = self.queue.popleft()
            self.flying.accepted = cycle


class MaintainAgent:
    """Whole-cache maintenance: `begin` holds the command until `done`."""

    def __init__(self, dut, prefix="io_maintain"):
        self.port = Pins(dut, prefix)
        self.port.put(cmd_valid=0)
        self.done: Event | None = None
        self._fields = None

    def begin(self, clean: bool, invalidate: bool) -> Event:
        self._fields = {"cmd_payload_clean": clean, "cmd_payload_invalidate": invalidate}
        self.done = Event()
        return self.done

    def drive(self) -> None:
        if self._fields:
            self.port.put(cmd_valid=1, **self._fields)
        else:
            self.port.put(cmd_valid=0)

    def look(self, _cycle: int) -> None:
        if self.done and self.port.get("cmd_valid") and self.port.get("done"):
            self._fields = None
            self.done.set()
            self.done = None


DATA_FIELDS = {"va": "va", "op": "op", "size": "size", "data": "data", "amo": "funct"}
FETCH_FIELDS = {"va": "va"}
