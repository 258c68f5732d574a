"""Drives the MMU as software reaches it: through the registers of its IP block."""

from drivers.address_space import AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import InvalidateSignals
from support.apb import Apb

SCTLR, TCR, TTBR0, TTBR1, MAIR = 0x20, 0x28, 0x30, 0x38, 0x40
OPERAND, COMMAND = 0x60, 0x68


class IpDriver(MmuDriver):
    """Context and TLBIs go through the registers, SFENCE.VMA through a port."""

    def idle(self) -> None:
        self.apb = Apb(self.dut)
        self.invalidations = InvalidateSignals(self.dut, "io_sfence")
        for signal in ("fault_valid", "satp"):
            getattr(self.dut, f"io_{signal}").value = 0

    async def program(self, space: AddressSpace):
        self.memory.words = space.words
        registers = space.registers
        for name, at in (("tcr", TCR), ("ttbr0", TTBR0), ("ttbr1", TTBR1), ("mair", MAIR)):
            await self.apb.write64(at, registers[name])
        await self.apb.write64(SCTLR, registers["sctlr"])

    async def tlbi(self, kind, operand=0):
        await self.apb.write64(OPERAND, operand)
        return await self.apb.write(COMMAND, kind)
