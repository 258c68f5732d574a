"""Slaves of AXI in every order that the protocol allows (A3.3.1: which handshake may wait for
which).

The bus models of cocotbext-axi take addresses and data side by side and answer one burst after the
other. `WriteOrder` makes one take a burst's address before its data, or all data before the
address; `InterleavedReads` answers bursts of different IDs beat by beat in any order.
"""

import random
from collections.abc import Iterator

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiReadBus, AxiResp
from cocotbext.axi.axi_channels import AxiARSink, AxiRSource

FREE, ADDRESS_FIRST, DATA_FIRST = ORDERS = ("free", "address first", "data first")


class WriteOrder:
    """Of one slave. `seen`: bursts by what was taken first in fact, the address before any data or
    all data before the address."""

    def __init__(self, dut, prefix: str, write_if, seed: int):
        self.random, self.write_if = random.Random(seed), write_if
        self.seen = dict.fromkeys(ORDERS, 0)
        write_if.w_channel.queue_occupancy_limit = -1  # room for all data of a burst
        self._signals = {
            name: getattr(dut, f"{prefix}_{name}")
            for name in ("awvalid", "awready", "wvalid", "wready", "wlast")
        }
        self._forget()
        self.allow((FREE,))
        cocotb.start_soon(self._follow(dut.clk, dut.reset))

    def allow(self, orders: tuple[str, ...]) -> None:
        """From now on one of these for each burst; none is under way."""
        self._allowed = orders
        self._order = self.random.choice(orders)

    def _forget(self) -> None:
        self.addresses = self.bursts = 0  # taken, and of which all data was taken
        self._begun = False  # a beat of the burst that is not complete was taken
        self._first = {}  # by number of a burst that is not complete

    def blocks(self, channel: str) -> bool:
        if channel == "aw":
            return self._order == DATA_FIRST and self.bursts <= self.addresses
        return channel == "w" and self._order == ADDRESS_FIRST and self.addresses <= self.bursts

    async def _follow(self, clk, reset) -> None:
        edge, s = RisingEdge(clk), self._signals
        while True:
            await edge
            if reset.value:
                self._forget()
                continue
            address = bool(s["awvalid"].value and s["awready"].value)
            data = bool(s["wvalid"].value and s["wready"].value)
            last = data and bool(s["wlast"].value)
            if not (address or data):
                continue
            if address and self.addresses == self.bursts and not (self._begun or data):
                self._first[self.addresses] = ADDRESS_FIRST
            if last and self.bursts == self.addresses and not address:
                self._first[self.bursts] = DATA_FIRST
            self.addresses += address
            self.bursts += last
            self._begun = data and not last or self._begun and not data
            if self.addresses == self.bursts and (address or last):
                self.seen[self._first.pop(self.bursts - 1, FREE)] += 1
                self._order = self.random.choice(self._allowed)

    def pauses(self, channel: str, rng: random.Random, probability: float) -> Iterator[bool]:
        """For `set_pause_generator`: random back-pressure and the order of the burst."""
        while True:
            yield rng.random() < probability or self.blocks(channel)


def pauses(rng: random.Random, probability: float) -> Iterator[bool]:
    """For `set_pause_generator`: random back-pressure."""
    while True:
        yield rng.random() < probability


class InterleavedReads:
    """A slave of reads that answers the bursts it has taken in any order and beat by beat; only
    those of one ID keep theirs. `target.read(address, bytes)` gives the data. `mixed`: beats that
    came between two of another burst."""

    def __init__(self, dut, prefix: str, target, seed: int, pause: float = 0.0):
        bus = AxiReadBus.from_prefix(dut, prefix)
        self.random, self.pause = random.Random(seed), pause
        self.ar = AxiARSink(bus.ar, dut.clk, dut.reset)
        self.r = AxiRSource(bus.r, dut.clk, dut.reset)
        self.r.queue_occupancy_limit = 1
        self.target = target
        self.bursts: dict[int, list[list[tuple[int, bool]]]] = {}  # by ID: beats left, oldest first
        self.mixed = 0
        cocotb.start_soon(self._serve(dut.clk))

    async def _serve(self, clk) -> None:
        size = len(self.r.bus.rdata) // 8
        open_id = None
        while True:
            while not self.ar.empty():
                ar = self.ar.recv_nowait()
                beats = int(ar.arlen) + 1
                burst = [(int(ar.araddr) + size * n, n == beats - 1) for n in range(beats)]
                self.bursts.setdefault(int(ar.arid), []).append(burst)
            waiting = [identity for identity, bursts in self.bursts.items() if bursts]
            if not waiting or self.r.full() or self.random.random() < self.pause:
                await RisingEdge(clk)
                continue
            identity = self.random.choice(waiting)
            address, last = self.bursts[identity][0].pop(0)
            if last:
                self.bursts[identity].pop(0)
            self.mixed += open_id not in (None, identity)
            open_id = None if last else identity
            beat = self.r._transaction_obj()
            beat.rid, beat.rlast, beat.rresp = identity, last, AxiResp.OKAY
            data = await self.target.read(address & -size, size)
            beat.rdata = int.from_bytes(data, "little")
            await self.r.send(beat)
