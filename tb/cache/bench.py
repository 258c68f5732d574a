"""Bench of the data cache: CPU, walker, translation and maintenance as queues of requests.

One loop a cycle: in the middle of the cycle, when the registers have settled, it drives the ports
and then looks at what will happen at the next clock edge.
"""

import random
from collections import deque
from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Event, FallingEdge, ReadOnly
from cocotbext.axi import AxiBus, AxiSlave

from cache.memory import LOWMEM, Memory

LOAD, STORE, LR, SC, AMO, CLEAN, INVALIDATE, FLUSH = range(8)
READ, WRITE, EXECUTE, ATOMIC = range(4)
BUS_ERROR = 0b010000


@dataclass
class Translation:
    """Answer of the translate port after `delay` cycles of waiting."""

    pa: int = 0
    cacheable: bool = True
    fault: int | None = None
    wnr: bool = False
    delay: int = 0


@dataclass
class Request:
    """One request on any port with what became of it."""

    va: int = 0
    op: int = LOAD
    size: int = 2
    data: int = 0
    funct: int = 0
    swap: bool = False
    expected: int = 0
    accepted: int = -1  # cycle of the handshake
    answered: int = -1
    dropped: bool = False
    value: int = 0
    fault: int | None = None
    wnr: bool = False
    error: bool = False
    done: Event = field(default_factory=Event)

    @property
    def latency(self) -> int:
        return self.answered - self.accepted


class DataBench:
    """`translate(va, access, untranslated)` decides about addresses; default: VA = PA."""

    def __init__(self, dut, seed: int):
        self.dut = dut
        self.random = random.Random(seed)
        self.memory = Memory()
        self.cycle = 0
        self.cpu_queue: deque[Request] = deque()
        self.cpu_flying: deque[Request] = deque()
        self.walk_queue: deque[Request] = deque()
        self.walk_flying: Request | None = None
        self.translate = lambda va, access, untranslated: Translation(va & 0xFFFF_FFFF)
        self.translations = []  # (va, access, el1, pan, untranslated), each once
        self._pending: Translation | None = None
        self._waited = 0
        self.parked = False  # the access at the translate port is not answered in this cycle
        self.idle = lambda: False  # True: the CPU offers nothing in this cycle
        self.stored = []  # (pa, data, mask)
        self.counts = dict.fromkeys(("access", "miss", "evict", "writeback", "aliasMove"), 0)
        self.async_errors = 0
        self.on_answer = lambda port, request: None
        self.maintain: tuple | None = None

    @classmethod
    async def start(cls, dut, seed: int = 1, pause: float = 0.0, latency: int = 0):
        self = cls(dut, seed)
        for name in ("cpu_cmd", "walk_cmd", "maintain_cmd"):
            getattr(dut, f"io_{name}_valid").value = 0
        dut.io_translate_cmd_ready.value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        self.slaves = [
            AxiSlave(AxiBus.from_prefix(dut, p), dut.clk, dut.reset, target=self.memory)
            for p in ("axi", "uncached")
        ]
        for slave in self.slaves:
            for half in (slave.read_if, slave.write_if):
                half.log.setLevel("ERROR")
        self.pause(pause)
        await ClockCycles(dut.clk, 3)
        dut.reset.value = 0
        cocotb.start_soon(self._run())
        return self

    def pause(self, probability: float) -> None:
        """Random latency and back-pressure on every AXI channel."""

        def generator(rng):
            while True:
                yield rng.random() < probability

        for slave in self.slaves:
            for channel in (
                slave.read_if.ar_channel,
                slave.read_if.r_channel,
                slave.write_if.aw_channel,
                slave.write_if.w_channel,
                slave.write_if.b_channel,
            ):
                if probability:
                    rng = random.Random(self.random.random())
                    channel.set_pause_generator(generator(rng))
                else:
                    channel.clear_pause_generator()
                    channel.pause = False

    # ---- the cycle -------------------------------------------------------------------------------
    async def _run(self):
        middle, settled = FallingEdge(self.dut.clk), ReadOnly()
        while True:
            await middle
            self.cycle += 1
            self._drive_translate()
            self._drive_cpu()
            self._drive_walk()
            await settled
            self._look()

    def _drive_translate(self):
        d = self.dut
        self.parked = False
        if not d.io_translate_cmd_valid.value:
            d.io_translate_cmd_ready.value = 0
            return
        if self._pending is None:
            request = (
                int(d.io_translate_cmd_payload_va.value),
                int(d.io_translate_cmd_payload_access.value),
                bool(d.io_translate_cmd_payload_untranslated.value),
            )
            self._pending = self.translate(*request)
            self._waited = 0
            self.translations.append(request)
        t = self._pending
        delay = t.delay() if callable(t.delay) else t.delay > self._waited
        if delay:
            self._waited += 1
            self.parked = True
            d.io_translate_cmd_ready.value = 0
            return
        d.io_translate_cmd_ready.value = 1
        d.io_translate_rsp_pa.value = t.pa
        d.io_translate_rsp_attributes_cacheable.value = t.cacheable
        d.io_translate_rsp_attributes_device.value = not t.cacheable
        d.io_translate_rsp_fault.value = t.fault is not None
        d.io_translate_rsp_status.value = t.fault or 0
        d.io_translate_rsp_wnr.value = t.wnr
        self._pending = None

    def _drive_cpu(self):
        d = self.dut
        if not self.cpu_queue or self.idle():
            d.io_cpu_cmd_valid.value = 0
            return
        r = self.cpu_queue[0]
        d.io_cpu_cmd_valid.value = 1
        d.io_cpu_cmd_payload_va.value = r.va
        d.io_cpu_cmd_payload_op.value = r.op
        d.io_cpu_cmd_payload_size.value = r.size
        d.io_cpu_cmd_payload_data.value = r.data
        d.io_cpu_cmd_payload_amo.value = r.funct

    def _drive_walk(self):
        d = self.dut
        if not self.walk_queue:
            d.io_walk_cmd_valid.value = 0
            return
        r = self.walk_queue[0]
        d.io_walk_cmd_valid.value = 1
        d.io_walk_cmd_payload_address.value = r.va
        d.io_walk_cmd_payload_swap.value = r.swap
        d.io_walk_cmd_payload_expected.value = r.expected
        d.io_walk_cmd_payload_desired.value = r.data

    def _look(self):
        d = self.dut
        faulted = False
        if d.io_cpu_rsp_valid.value:
            assert self.cpu_flying, "an answer without a request"
            r = self.cpu_flying.popleft()
            r.answered = self.cycle
            faulted = bool(d.io_cpu_rsp_payload_fault_valid.value)
            if faulted:
                r.fault = int(d.io_cpu_rsp_payload_fault_status.value)
                r.wnr = bool(d.io_cpu_rsp_payload_fault_wnr.value)
            else:
                r.value = int(d.io_cpu_rsp_payload_data.value)
            self.on_answer("cpu", r)
            r.done.set()
        if d.io_cpu_cmd_valid.value and d.io_cpu_cmd_ready.value:
            r = self.cpu_queue.popleft()
            r.accepted = self.cycle
            if faulted:
                r.dropped = True
                self.on_answer("cpu", r)
                r.done.set()
            else:
                self.cpu_flying.append(r)
        if d.io_walk_rsp_valid.value:
            r = self.walk_flying
            assert r is not None, "an answer of the walker's port without a request"
            r.answered = self.cycle
            r.error = bool(d.io_walk_rsp_payload_error.value)
            r.value = int(d.io_walk_rsp_payload_data.value)
            self.walk_flying = None
            self.on_answer("walk", r)
            r.done.set()
        if d.io_walk_cmd_valid.value and d.io_walk_cmd_ready.value:
            assert self.walk_flying is None
            self.walk_flying = self.walk_queue.popleft()
            self.walk_flying.accepted = self.cycle
        if d.io_stored_valid.value:
            self.stored.append(
                (
                    int(d.io_stored_payload_pa.value),
                    int(d.io_stored_payload_data.value),
                    int(d.io_stored_payload_mask.value),
                )
            )
        for name in self.counts:
            self.counts[name] += bool(getattr(d, f"io_events_{name}").value)
        self.async_errors += bool(d.io_asyncError.value)
        if self.maintain and d.io_maintain_done.value:
            self.maintain[1].set()

    # ---- requests --------------------------------------------------------------------------------
    def send(self, va: int, op: int = LOAD, **fields) -> Request:
        r = Request(va=va, op=op, **fields)
        self.cpu_queue.append(r)
        return r

    def send_walk(self, address: int, **fields) -> Request:
        r = Request(va=address, **fields)
        self.walk_queue.append(r)
        return r

    async def do(self, va: int, op: int = LOAD, **fields) -> Request:
        r = self.send(va, op, **fields)
        await r.done.wait()
        return r

    async def load(self, va: int) -> int:
        r = await self.do(va)
        assert r.fault is None, f"load of {va:#x} faulted with {r.fault:#b}"
        return r.value

    async def store(self, va: int, data: int, size: int = 2) -> Request:
        r = await self.do(va, STORE, data=data, size=size)
        assert r.fault is None, f"store to {va:#x} faulted with {r.fault:#b}"
        return r

    async def walk(self, address: int, **fields) -> Request:
        r = self.send_walk(address, **fields)
        await r.done.wait()
        return r

    async def whole(self, *, clean: bool, invalidate: bool) -> int:
        """Whole-cache maintenance; returns its cycles."""
        d = self.dut
        done = Event()
        await FallingEdge(d.clk)
        d.io_maintain_cmd_valid.value = 1
        d.io_maintain_cmd_payload_clean.value = clean
        d.io_maintain_cmd_payload_invalidate.value = invalidate
        begin = self.cycle
        self.maintain = (begin, done)
        await done.wait()
        self.maintain = None
        cycles = self.cycle - begin
        await FallingEdge(d.clk)
        d.io_maintain_cmd_valid.value = 0
        return cycles

    async def settle(self, cycles: int = 3) -> None:
        """Lets the last event and trace come out."""
        await ClockCycles(self.dut.clk, cycles)

    def clear_counts(self) -> None:
        for name in self.counts:
            self.counts[name] = 0


__all__ = ["LOWMEM", "DataBench", "Request", "Translation"]
