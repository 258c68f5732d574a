"""Drives the MMU: accesses, invalidations, context."""

from itertools import count

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import AddressSpace
from drivers.pmp import Protection
from drivers.ports import WalkMemory
from drivers.signals import EXECUTE, READ, InvalidateSignals, TranslateSignals
from model import Memory
from model.tlbi import Invalidation, Kind
from support import parts


class MmuDriver:
    """An MMU out of reset, with its memory behind the walk port."""

    def __init__(self, dut):
        self.dut = dut
        self.protection = Protection(dut)
        self.walk = WalkMemory(dut, Memory())
        self.ports = {name: TranslateSignals(dut, name) for name in ("fetch", "data")}

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        bench.idle()
        bench.protection.open()
        await parts.start(dut)
        cocotb.start_soon(bench._serve())
        await RisingEdge(dut.clk)
        return bench

    async def _serve(self) -> None:
        edge = RisingEdge(self.dut.clk)
        for cycle in count():
            await edge
            self.walk.edge(cycle)

    @property
    def memory(self) -> Memory:
        return self.walk.memory

    def idle(self) -> None:
        """Nothing is asked for."""
        self.invalidations = InvalidateSignals(self.dut)
        self.context(tcr=0, ttbr0=0, ttbr1=0, mair=0, sctlr=0, satp=0)

    def context(self, **registers):
        for name, value in registers.items():
            getattr(self.dut, f"io_context_{name}").value = value

    def use(self, space: AddressSpace, **registers: int) -> None:
        """The memory of `space`, and its registers, but for those that are named."""
        self.memory.words = space.words
        self.context(**space.registers | registers)

    async def translate(
        self, va, access=READ, *, el1=False, pan=False, mxr=False, untranslated=False,
        machine=None, port=None
    ):  # fmt: skip
        """One access, announced for two cycles, as the context may have changed in the first, and
        until it is answered; returns in the cycle after that."""
        dut, port = self.dut, self.ports[port or ("fetch" if access == EXECUTE else "data")]
        port.announce(va)
        machine = untranslated if machine is None else machine
        port.drive(va=va, access=access, el1=el1, pan=pan, mxr=mxr, untranslated=untranslated,
                   machine=machine)  # fmt: skip
        for _ in range(2):
            await RisingEdge(dut.clk)
        port.valid.value = 1
        await FallingEdge(dut.clk)
        waited = await parts.until(dut, lambda: port.ready.value, f"translation of {va:#x}", 5000)
        answer = port.answer(waited, -1)
        await RisingEdge(dut.clk)
        port.valid.value = 0
        port.announce(None)
        return answer

    async def invalidate(self, kind, operand=0, *, last_level=False, ds=False, limit=1000):
        """One invalidation; returns the cycles from acceptance to `done`, in the cycle after."""
        dut, port = self.dut, self.invalidations
        port.command(Invalidation(Kind(kind), operand, last_level, ds))
        port.valid.value = 1
        await FallingEdge(dut.clk)
        await parts.until(dut, lambda: port.ready.value, "the invalidation is accepted", limit)
        await RisingEdge(dut.clk)
        port.valid.value = 0
        await FallingEdge(dut.clk)
        cycles = await parts.until(dut, lambda: port.done.value, "the invalidation is done", limit)
        await RisingEdge(dut.clk)
        return 1 + cycles

    async def swept(self) -> None:
        """Until the next invalidation would be accepted: the sweep of the last one is over."""
        ready = self.invalidations.ready
        await parts.until(self.dut, lambda: ready.value, "end of the sweep")
        await RisingEdge(self.dut.clk)

    async def invalidate_all(self) -> None:
        """Nothing is in a TLB, and no sweep is under way, in which walks would remember nothing."""
        await self.invalidate(Kind.ALL)
        await self.swept()
