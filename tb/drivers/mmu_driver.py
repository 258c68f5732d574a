"""Drives the MMU: descriptor memory behind the walk port, accesses, invalidations, context."""

from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, with_timeout

from drivers.signals import EXECUTE, READ, InvalidateSignals, TranslateSignals
from model import Memory
from model.tlbi import Invalidation, Kind

TRANSLATION, ADDRESS_SIZE, ACCESS_FLAG, PERMISSION, EXTERNAL = 0x04, 0x00, 0x08, 0x0C, 0x14
TIMEOUT = (200, "us")


@dataclass
class DescriptorMemory:
    """Answers the walk port `latency` cycles after a read was taken, with what memory held then;
    `error` holds bus errors."""

    words: dict = field(default_factory=dict)
    error: set = field(default_factory=set)
    latency: int = 1
    not_ready: int = 0
    reads: list = field(default_factory=list)

    async def serve(self, dut):
        cmd, rsp = dut.io_walk_cmd_valid, dut.io_walk_rsp_valid
        rsp.value = 0
        dut.io_walk_cmd_ready.value = 0 if self.not_ready else 1
        while True:
            if not cmd.value:
                await RisingEdge(cmd)
            # What was offered ready before `not_ready` changed, is taken at once.
            for _ in range(0 if int(dut.io_walk_cmd_ready.value) else self.not_ready):
                await RisingEdge(dut.clk)
            dut.io_walk_cmd_ready.value = 1
            await ReadOnly()
            address = int(dut.io_walk_cmd_payload_address.value)
            await RisingEdge(dut.clk)
            dut.io_walk_cmd_ready.value = 0 if self.not_ready else 1
            self.reads.append(address)
            data, error = self.access(address, dut), int(address in self.error)
            for _ in range(self.latency - 1):
                await RisingEdge(dut.clk)
            rsp.value = 1
            dut.io_walk_rsp_payload_data.value = data
            dut.io_walk_rsp_payload_error.value = error
            await RisingEdge(dut.clk)
            rsp.value = 0
            await FallingEdge(dut.clk)

    def access(self, address: int, dut) -> int:
        """The descriptor at an address, of the size that is asked for; swapped afterwards if it is
        what the command expects."""
        words, cmd = Memory(self.words), "io_walk_cmd_payload_"
        size = 4 << int(getattr(dut, f"{cmd}size").value)
        if not int(getattr(dut, f"{cmd}swap").value):
            return words.read(address, size)
        expected, desired = (
            int(getattr(dut, f"{cmd}{name}").value) for name in ("expected", "desired")
        )
        held = words.compare_and_swap(address, expected, desired, size)
        self.words.update(words.words)
        return held


class MmuDriver:
    """An MMU out of reset, with its memory."""

    def __init__(self, dut):
        self.dut = dut
        self.memory = DescriptorMemory()
        self.ports = {name: TranslateSignals(dut, name) for name in ("fetch", "data")}

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        bench.invalidations = InvalidateSignals(dut)
        bench.context(tcr=0, ttbr0=0, ttbr1=0, mair=0, sctlr=0, satp=0)
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        for _ in range(3):
            await RisingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(bench.memory.serve(dut))
        await RisingEdge(dut.clk)
        return bench

    def context(self, **registers):
        for name, value in registers.items():
            getattr(self.dut, f"io_context_{name}").value = value

    async def translate(
        self, va, access=READ, *, el1=False, pan=False, mxr=False, untranslated=False, port=None
    ):
        """One access, announced for two cycles, as the context may have changed in the first;
        returns in the cycle after its answer."""
        dut, port = self.dut, self.ports[port or ("fetch" if access == EXECUTE else "data")]
        port.announce(va)
        port.drive(va=va, access=access, el1=el1, pan=pan, mxr=mxr, untranslated=untranslated)
        for _ in range(2):
            await RisingEdge(dut.clk)
        port.announce(None)
        port.valid.value = 1
        waited = 0
        await FallingEdge(dut.clk)
        while not int(port.ready.value):
            await FallingEdge(dut.clk)
            waited += 1
            assert waited < 5000, f"translation of {va:#x} is not answered"
        answer = port.answer(waited, -1)
        await RisingEdge(dut.clk)
        port.valid.value = 0
        return answer

    async def invalidate(self, kind, operand=0, *, last_level=False, ds=False):
        """One invalidation; returns the cycles from acceptance to `done`, in the cycle after."""
        dut, port = self.dut, self.invalidations
        port.command(Invalidation(Kind(kind), operand, last_level, ds))
        port.valid.value = 1
        await FallingEdge(dut.clk)
        while not int(port.ready.value):
            await FallingEdge(dut.clk)
        await RisingEdge(dut.clk)
        port.valid.value = 0
        cycles = 0
        while True:
            await FallingEdge(dut.clk)
            cycles += 1
            assert cycles < 1000, "the invalidation does not complete"
            if int(port.done.value):
                break
        await RisingEdge(dut.clk)
        return cycles

    async def within(self, work):
        return await with_timeout(work, *TIMEOUT)
