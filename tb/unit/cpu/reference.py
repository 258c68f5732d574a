"""Unicorn's RISC-V as the reference of the core: one instruction at a time, in M-mode.

Unicorn stops at an exception instead of trapping, so the trap entry is done here.
"""

import unicorn.riscv_const as rv
from unicorn import (
    UC_ARCH_RISCV,
    UC_ERR_INSN_INVALID,
    UC_HOOK_INTR,
    UC_MODE_RISCV32,
    Uc,
    UcError,
)

from unit.cpu.encode import EBREAK

PAGE = 4096
ILLEGAL_INSTRUCTION, BREAKPOINT, CALL_FROM_USER, CALL_FROM_MACHINE = 2, 3, 8, 11
MPP_M, MPIE, MIE = 3 << 11, 1 << 7, 1 << 3


class Reference:
    def __init__(self, base: int, size: int, extra: int) -> None:
        """RAM at `base`, and one page at `extra` so that stores there do nothing of note."""
        self.uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        self.uc.mem_map(base, size)
        self.uc.mem_map(extra, PAGE)
        self.uc.hook_add(UC_HOOK_INTR, self._exception)
        self.cause: int | None = None
        self.tval = 0
        self.pc = base

    def _exception(self, _uc, number: int, _data) -> None:
        # An ecall is reported as one of U-mode, whatever the mode.
        self.cause = CALL_FROM_MACHINE if number == CALL_FROM_USER else number
        self.uc.emu_stop()

    def write(self, address: int, data: bytes) -> None:
        self.uc.mem_write(address, data)

    def read(self, address: int, size: int) -> bytes:
        return bytes(self.uc.mem_read(address, size))

    def register(self, number: int) -> int:
        return self.uc.reg_read(rv.UC_RISCV_REG_X0 + number)

    def step(self) -> int | None:
        """Runs the instruction at `pc`; the cause if it trapped (`pc` is then the handler)."""
        self.cause = None
        before = self.pc
        try:
            self.uc.emu_start(before, 0xFFFF_FFFC, count=1)
        except UcError as error:
            if error.errno != UC_ERR_INSN_INVALID:
                raise
            # Unicorn has no number of its own for ebreak.
            word = int.from_bytes(self.read(before, 4), "little")
            self.cause = BREAKPOINT if word == EBREAK else ILLEGAL_INSTRUCTION
        if self.cause is None:
            self.pc = self.uc.reg_read(rv.UC_RISCV_REG_PC)
            return None
        self._trap(before)
        return self.cause

    def _trap(self, epc: int) -> None:
        uc = self.uc
        status = uc.reg_read(rv.UC_RISCV_REG_MSTATUS)
        enabled = MPIE if status & MIE else 0
        uc.reg_write(rv.UC_RISCV_REG_MSTATUS, status & ~(MIE | MPIE) | MPP_M | enabled)
        uc.reg_write(rv.UC_RISCV_REG_MEPC, epc)
        uc.reg_write(rv.UC_RISCV_REG_MCAUSE, self.cause)
        word = int.from_bytes(self.read(epc, 4), "little")
        self.tval = {ILLEGAL_INSTRUCTION: word, BREAKPOINT: epc}.get(self.cause, 0)
        uc.reg_write(rv.UC_RISCV_REG_MTVAL, self.tval)
        self.pc = uc.reg_read(rv.UC_RISCV_REG_MTVEC) & ~3
