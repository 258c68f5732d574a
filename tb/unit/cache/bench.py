"""Benches of the caches: their ports, the memory behind them, and one loop a cycle."""

import random

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly
from cocotbext.axi import AxiBus, AxiReadBus, AxiSlave, AxiSlaveRead

from support import parts
from support.axi_order import FREE, WriteOrder, pauses
from support.parts import Pins
from support.streams import StreamMonitor
from unit.cache.agents import (
    DATA_FIELDS,
    FETCH_FIELDS,
    CpuAgent,
    MaintainAgent,
    Op,
    Request,
    TranslateAgent,
    VacancyAgent,
    WalkAgent,
)
from unit.cache.memory import Memory


class Bench:
    """What all benches have. A subclass fills `agents` (driven and looked at each cycle), `halves`
    (the bus models), `events`, and `may_withdraw` (see StreamMonitor).
    """

    def __init__(self, dut, seed: int):
        self.dut = dut
        self.random = random.Random(seed)
        self.memory = Memory()
        self.cycle = 0
        self.agents = []
        self.halves = []
        self.orders: dict[str, WriteOrder] = {}  # by the prefix of the slave's port
        self.may_withdraw = {}
        self.events: dict[str, str] = {}  # short name -> signal
        self.counts: dict[str, int] = {}

    @classmethod
    async def start(cls, dut, seed: int = 1, pause: float = 0.0):
        self = cls(dut, seed)
        self.clear_counts()
        for half in self.halves:
            half.log.setLevel("ERROR")
        self.pause(pause)
        await parts.start(dut)
        cocotb.start_soon(self._run())
        return self

    async def _run(self):
        middle, settled = FallingEdge(self.dut.clk), ReadOnly()
        streams = StreamMonitor.of(self.dut, may_withdraw=self.may_withdraw)
        signals = {name: getattr(self.dut, signal) for name, signal in self.events.items()}
        drivers, lookers = (
            [agent for agent in self.agents if hasattr(agent, does)] for does in ("drive", "look")
        )
        while True:
            await middle
            self.cycle += 1
            for agent in drivers:
                agent.drive()
            await settled
            if self.dut.reset.value:
                streams.forget()
            else:
                streams.look()
            for agent in lookers:
                agent.look(self.cycle)
            for name, signal in signals.items():
                if signal.value:
                    self.counts[name] += 1

    def pause(self, probability: float, orders: tuple[str, ...] = (FREE,)) -> None:
        """Random latency and back-pressure on every AXI channel, and in which order a slave takes
        address and data of a write: one of `orders` for each burst."""
        by_slave = {half: None for half in self.halves}
        by_slave |= {order.write_if: order for order in self.orders.values()}
        for half, order in by_slave.items():
            if order:
                order.allow(orders)
            for name in ("ar", "r", "aw", "w", "b"):
                channel = getattr(half, f"{name}_channel", None)
                if channel is None:
                    continue
                rng = random.Random(self.random.random())
                if order and orders != (FREE,):
                    channel.set_pause_generator(order.pauses(name, rng, probability))
                elif probability:
                    channel.set_pause_generator(pauses(rng, probability))
                else:
                    channel.clear_pause_generator()
                    channel.pause = False

    def slave(self, prefix: str) -> AxiSlave:
        slave = AxiSlave(
            AxiBus.from_prefix(self.dut, prefix), self.dut.clk, self.dut.reset, target=self.memory
        )
        self.halves += [slave.read_if, slave.write_if]
        seed = self.random.getrandbits(32)
        self.orders[prefix] = WriteOrder(self.dut, prefix, slave.write_if, seed)
        return slave

    def read_slave(self, prefix: str) -> AxiSlaveRead:
        slave = AxiSlaveRead(
            AxiReadBus.from_prefix(self.dut, prefix),
            self.dut.clk,
            self.dut.reset,
            target=self.memory,
        )
        self.halves.append(slave)
        return slave

    async def settle(self, cycles: int = 3) -> None:
        """Lets the last event and trace come out."""
        await ClockCycles(self.dut.clk, cycles)

    def clear_counts(self) -> None:
        self.counts = dict.fromkeys(self.events, 0)


class Requests:
    """Short ways to use the CPU's port; needs `cpu`."""

    cpu: CpuAgent

    def send(self, va: int, op: int = Op.LOAD, **fields) -> Request:
        r = Request(va=va, op=op, **fields)
        self.cpu.queue.append(r)
        return r

    async def do(self, va: int, op: int = Op.LOAD, **fields) -> Request:
        r = self.send(va, op, **fields)
        await r.done.wait()
        return r

    async def load(self, va: int) -> int:
        r = await self.do(va)
        assert r.fault is None, f"load of {va:#x} faulted with {r.fault:#b}"
        return r.value

    async def store(self, va: int, data: int, size: int = 2) -> Request:
        r = await self.do(va, Op.STORE, data=data, size=size)
        assert r.fault is None, f"store to {va:#x} faulted with {r.fault:#b}"
        return r


class StoredAgent:
    """Collects the trace of stores as (pa, data, mask)."""

    def __init__(self, dut, prefix="io_stored"):
        self.port = Pins(dut, prefix)
        self.stores = []

    def look(self, _cycle: int) -> None:
        if self.port.get("valid"):
            self.stores.append(tuple(self.port.get(f"payload_{n}") for n in ("pa", "data", "mask")))


class DataBench(Requests, Bench):
    """The data cache with CPU, walker, translation and maintenance."""

    def __init__(self, dut, seed: int):
        super().__init__(dut, seed)
        self.translation = TranslateAgent(dut)
        self.cpu = CpuAgent(dut, "io_cpu", DATA_FIELDS, drops=True)
        self.walker = WalkAgent(dut)
        self.maintain = MaintainAgent(dut)
        self.vacancy = VacancyAgent(dut)
        self.trace = StoredAgent(dut)
        self.may_withdraw["io_cpu_cmd"] = self.cpu.faults
        # The walker first: what it is told, was done in the cycle before.
        self.agents = [
            self.translation,
            self.walker,
            self.cpu,
            self.maintain,
            self.vacancy,
            self.trace,
        ]
        self.lines = self.slave("axi")
        self.uncached = self.slave("uncached")
        self.events = {
            name: f"io_events_{name}"
            for name in ("access", "miss", "evict", "writeback", "aliasMove", "stall")
        } | {"asyncError": "io_asyncError"}

    def send_walk(self, address: int, **fields) -> Request:
        r = Request(va=address, **fields)
        self.walker.queue.append(r)
        return r

    async def walk(self, address: int, **fields) -> Request:
        r = self.send_walk(address, **fields)
        await r.done.wait()
        return r

    async def whole(self, *, clean: bool, invalidate: bool) -> int:
        """Whole-cache maintenance; returns its cycles."""
        begin = self.cycle
        await self.maintain.begin(clean, invalidate).wait()
        return self.cycle - begin


class FetchBench(Requests, Bench):
    """The instruction cache."""

    def __init__(self, dut, seed: int):
        super().__init__(dut, seed)
        self.translation = TranslateAgent(dut)
        self.cpu = CpuAgent(dut, "io_cpu", FETCH_FIELDS, drops=False)
        self.maintain = MaintainAgent(dut)
        self.agents = [self.translation, self.cpu, self.maintain]
        self.lines = self.read_slave("axi")
        self.events = {name: f"io_events_{name}" for name in ("access", "miss")}

    fetch = Requests.do
