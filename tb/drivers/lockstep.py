"""The bench of the MMU: clock, ports, context and the comparison with the golden model."""

import os

from cocotb.triggers import RisingEdge

from drivers.pmp import Protection
from drivers.ports import Answer, InvalidateSide, TranslateSide, WalkMemory
from model import Access, Fault, Memory, Registers, Translation, translate
from model.tlbi import Invalidation, Kind
from support import parts
from support.configurations import features_of

CONTEXT = ("tcr", "ttbr0", "ttbr1", "mair", "sctlr", "tcr2", "pir", "pire0", "mair2", "satp")
TIMEOUT = 2000  # cycles; far above the longest walk with the slowest memory of the tests


class MmuBench:
    """One MMU with its memory, stepped cycle by cycle.

    events  how often each event of `count` came since `clear_events`. To read a signal in every
            cycle takes long, so a test names those that it asks for.
    """

    def __init__(self, dut, *, count=()):
        self.dut = dut
        self.protection = Protection(dut)
        self.protection.open()
        self.features = features_of(os.environ["GRANULE_CONFIG"])
        self.cycle = 0
        self.memory = Memory()
        self.walk = WalkMemory(dut, self.memory)
        self.data = TranslateSide(dut, "data")
        self.fetch = TranslateSide(dut, "fetch")
        self.inv = InvalidateSide(dut)
        self.registers = Registers(0)
        self._events = {name: getattr(dut, f"io_events_{name}") for name in count}
        self.clear_events()
        self._edge = RisingEdge(dut.clk)

    @classmethod
    async def start(cls, dut, **options) -> "MmuBench":
        """Clock, reset, and everything idle."""
        bench = cls(dut, **options)
        await parts.start(dut)
        await bench.step(2)
        return bench

    def clear_events(self) -> None:
        self.events = dict.fromkeys(self._events, 0)

    def use_memory(self, memory: Memory) -> None:
        self.memory = self.walk.memory = memory

    def use(self, world) -> None:
        """The memory of `world`, and its registers."""
        self.use_memory(world.memory)
        self.context(world.registers)

    def context(self, registers: Registers) -> None:
        """Writes the registers; they act on the next access."""
        self.registers = registers
        low = (1 << 64) - 1
        values = {name: getattr(registers, name) & low for name in CONTEXT}
        values |= {"ttbr0High": registers.ttbr0 >> 64, "ttbr1High": registers.ttbr1 >> 64}
        for name, value in values.items():
            handle = getattr(self.dut, f"io_context_{name}", None)
            if handle is not None:  # a configuration has only the registers that it needs
                handle.value = value

    async def step(self, cycles: int = 1) -> None:
        """One clock cycle: everything that happened in it is noted, the next one is driven."""
        for _ in range(cycles):
            await self._edge
            self.cycle += 1
            for side in (self.data, self.fetch, self.inv):
                if side.busy:
                    side.edge(self.cycle)
            self.walk.edge(self.cycle)
            for name, handle in self._events.items():
                if handle.value:
                    self.events[name] += 1

    async def until(self, condition, what: str) -> None:
        for _ in range(TIMEOUT):
            if condition():
                return
            await self.step()
        raise AssertionError(f"{what}: nothing after {TIMEOUT} cycles")

    def side(self, access: Access) -> TranslateSide:
        return self.fetch if access.kind.fetches else self.data

    def request(self, access: Access, **options) -> TranslateSide:
        side = self.side(access)
        side.request(access, self.cycle, **options)
        return side

    async def translate(self, access: Access, **options) -> Answer:
        """Asks and waits for the answer."""
        side = self.request(access, **options)
        await self.until(lambda: not side.busy, f"translation of {access.va:#x}")
        return side.answer

    async def invalidate(self, op: Invalidation) -> int:
        """Sends one invalidation and waits for its end; returns the cycles it took."""
        self.inv.request(op, self.cycle)
        await self.until(lambda: not self.inv.busy, f"invalidation {op.kind.name}")
        return self.inv.cycles

    async def invalidate_all(self) -> None:
        """Nothing is in a TLB, and no sweep is under way, in which walks would remember nothing."""
        await self.invalidate(Invalidation(Kind.ALL))
        await self.swept()

    async def swept(self) -> None:
        """Until the next invalidation would be accepted: the sweep of the last one is over."""
        await self.until(lambda: self.inv.ready, "end of the sweep")

    def golden(self, access: Access) -> Translation | Fault:
        return translate(self.registers, self.features, self.memory, access)

    async def check(self, access: Access, note: str = "") -> Answer:
        """Translates and compares with the golden model."""
        expected = self.golden(access)
        answer = await self.translate(access)
        compare(access, answer, expected, note)
        return answer


def same(answer: Answer, expected: Translation | Fault) -> bool:
    if isinstance(expected, Fault):
        syndrome = (expected.status, expected.wnr, expected.dirty)
        return answer.fault and (answer.status, answer.wnr, answer.dirty) == syndrome
    return not answer.fault and (answer.pa, answer.mair) == (expected.pa, expected.attr)


def describe(expected: Translation | Fault) -> str:
    if isinstance(expected, Fault):
        return f"fsc={expected.status:#04x} wnr={expected.wnr:d} ({expected.kind.value})"
    return f"pa={expected.pa:#x} attr={expected.attr:#04x}"


def compare(access: Access, answer: Answer, expected: Translation | Fault, note: str = "") -> None:
    if not same(answer, expected):
        raise AssertionError(
            f"{note} {access.kind.name.lower()} va={access.va:#018x} el={access.el} "
            f"pan={access.pan:d}: {answer}; the model says {describe(expected)}"
        )
