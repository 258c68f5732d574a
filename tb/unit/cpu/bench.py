"""Drives a `cpubench` (rtl/bench/CpuBench.scala): load a program, run it, watch it."""

from dataclasses import dataclass

from cocotb.triggers import FallingEdge, First, RisingEdge, Timer

from support import parts

BASE = 0x8000_0000
# As cpu/Stall.scala has them; 0: an instruction retires.
REASONS = ("none", "icache", "itlb", "branch", "flush", "hazard", "load", "store", "walk", "divide",
           "system", "idle")  # fmt: skip
FIELDS = ("pc", "instruction", "rd", "rdValue", "trap", "cause", "tval", "privilege")


@dataclass(frozen=True)
class Retired:
    """One instruction that left the pipeline, retired or trapped, as `Retire` in the RTL has it."""

    pc: int
    instruction: int
    rd: int
    value: int
    trap: bool
    cause: int
    tval: int
    privilege: int
    cycle: int = 0

    def __str__(self) -> str:
        what = f"{self.pc:08x}: {self.instruction:08x} in mode {self.privilege}"
        if self.trap:
            return f"{what} traps: cause {self.cause:#x}, tval {self.tval:#x}"
        return f"{what} x{self.rd} = {self.value:#x}" if self.rd else what


class Bench:
    def __init__(self, dut) -> None:
        self.dut = dut
        self.stores: dict[int, int] = {}  # byte address -> byte
        self.stalls: list[str] = []  # of each cycle, the reason
        self.cycles = 0

    @classmethod
    async def start(cls, dut) -> "Bench":
        await parts.start(dut, io_hold=1, io_stalls=0, io_load_valid=0)
        return cls(dut)

    async def load(self, words, address: int = BASE) -> None:
        """Stops the core and writes `words` to memory."""
        dut = self.dut
        dut.io_hold.value = 1
        await FallingEdge(dut.clk)
        dut.io_load_valid.value = 1
        for i, word in enumerate(words):
            dut.io_load_payload_address.value = (address - BASE) // 4 + i
            dut.io_load_payload_data.value = word
            await FallingEdge(dut.clk)
        dut.io_load_valid.value = 0
        await FallingEdge(dut.clk)

    async def run(self, *, stalls: bool, limit: int = 100_000) -> int:
        """Runs to the store to tohost and returns what was stored."""
        dut = self.dut
        dut.io_stalls.value = int(stalls)
        dut.io_hold.value = 0
        timeout = Timer(limit * parts.PERIOD_NS, "ns")
        if await First(RisingEdge(dut.io_tohost_valid), timeout) is timeout:
            raise AssertionError(f"tohost was not written within {limit} cycles")
        await FallingEdge(dut.clk)
        code = int(dut.io_tohost_payload.value)
        self.check_rules()
        return code

    async def trace(self, *, stalls: bool, limit: int = 100_000) -> list[Retired]:
        """Like `run`, with every instruction; `stores` then holds the bytes written. A cycle has a
        reason for a stall exactly when nothing retires in it."""
        dut = self.dut
        dut.io_stalls.value = int(stalls)
        dut.io_hold.value = 0
        self.stores, self.stalls = {}, []
        retired = []
        edge = FallingEdge(dut.clk)
        fields = [getattr(dut, f"io_retire_{f}") for f in FIELDS]
        stall, trap = dut.io_retire_stall, dut.io_retire_trap
        valid, store, tohost = dut.io_retire_valid, dut.io_store_valid, dut.io_tohost_valid
        for self.cycles in range(limit):
            await edge
            self.stalls.append(REASONS[int(stall.value)])
            retires = bool(valid.value) and not trap.value
            assert retires == (self.stalls[-1] == "none"), f"cycle {self.cycles}: {self.stalls[-1]}"
            if valid.value:
                retired.append(Retired(*(int(f.value) for f in fields), self.cycles))
            if store.value:
                self._note_store()
            if tohost.value:
                self.check_rules()
                return retired
        raise AssertionError(
            f"tohost was not written within {limit} cycles; {retired[:5]} ... {retired[-3:]}"
        )

    def _note_store(self) -> None:
        address = int(self.dut.io_store_payload_pa.value) & ~3
        data = int(self.dut.io_store_payload_data.value)
        mask = int(self.dut.io_store_payload_mask.value)
        for lane in range(4):
            if mask >> lane & 1:
                self.stores[address + lane] = data >> 8 * lane & 0xFF

    def check_rules(self) -> None:
        """Before `hold`: it clears them."""
        broken = int(self.dut.io_violation.value)
        assert broken == 0, f"port rules broken: {broken:#08b}, see the end of CpuBench.scala"
