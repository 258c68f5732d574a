"""The registers that steer a translation, and the half of the address space that a VA selects."""

from dataclasses import dataclass
from functools import cached_property

from model import riscv
from model.bits import bit, field

IPS_BITS = (32, 36, 40, 42, 44, 48, 52, 56)
TG0, TG1 = {12: 0b00, 14: 0b10, 16: 0b01}, {12: 0b10, 14: 0b01, 16: 0b11}  # by log2 of a granule
TG0_GRANULE = {code: granule for granule, code in TG0.items()} | {0b11: 12}  # choice 4K (spec 11)
TG1_GRANULE = {code: granule for granule, code in TG1.items()} | {0b00: 12}  # choice 4K
HA, HD = 1 << 39, 1 << 40  # of TCR: hardware updates access flag, dirty state
DEVICE_NGNRNE, NORMAL_NC, NORMAL_WT_RA, NORMAL_WB = 0x00, 0x44, 0xAA, 0xFF


@dataclass(frozen=True)
class Half:
    """TCR's fields of one half (spec 1.1), without the suffix 0 or 1."""

    upper: bool
    tnsz: int
    granule: int
    ttbr: int
    tbi: bool
    tbid: bool
    epd: bool
    e0pd: bool
    hpd: bool
    sh: int
    disch: bool


@dataclass(frozen=True)
class Registers:
    """AArch64 layout. ttbr0 and ttbr1 have 128 bits when D128 is in force. satp is RISC-V's: unless
    its MODE is Bare, the others do not matter."""

    tcr: int
    ttbr0: int = 0
    ttbr1: int = 0
    mair: int = 0
    sctlr: int = 1
    tcr2: int = 0
    pir: int = 0
    pire0: int = 0
    satp: int = 0
    mair2: int = 0

    @cached_property
    def halves(self) -> tuple[Half, Half]:
        tcr = self.tcr
        lower = Half(
            upper=False,
            tnsz=field(tcr, 5, 0),
            granule=TG0_GRANULE[field(tcr, 15, 14)],
            ttbr=self.ttbr0,
            tbi=bool(bit(tcr, 37)),
            tbid=bool(bit(tcr, 51)),
            epd=bool(bit(tcr, 7)),
            e0pd=bool(bit(tcr, 55)),
            hpd=bool(bit(tcr, 41)),
            sh=field(tcr, 13, 12),
            disch=bool(bit(self.tcr2, 14)),
        )
        upper = Half(
            upper=True,
            tnsz=field(tcr, 21, 16),
            granule=TG1_GRANULE[field(tcr, 31, 30)],
            ttbr=self.ttbr1,
            tbi=bool(bit(tcr, 38)),
            tbid=bool(bit(tcr, 52)),
            epd=bool(bit(tcr, 23)),
            e0pd=bool(bit(tcr, 56)),
            hpd=bool(bit(tcr, 42)),
            sh=field(tcr, 29, 28),
            disch=bool(bit(self.tcr2, 15)),
        )
        return lower, upper

    def half(self, va: int) -> Half:
        """VA[55] decides, even when the bits above it are wrong (spec 2.1)."""
        return self.halves[bit(va, 55)]

    @property
    def asid(self) -> int:
        """The ASID in use: A1 chooses the register, AS = 0 leaves eight bits (spec 8.1)."""
        if self.mode:
            return field(self.satp, *riscv.SCHEMES[self.mode].asid)
        ttbr = self.ttbr1 if bit(self.tcr, 22) else self.ttbr0
        return field(ttbr, 63, 48) if bit(self.tcr, 36) else field(ttbr, 55, 48)

    ips_bits = property(lambda self: IPS_BITS[field(self.tcr, 34, 32)])
    ips = property(lambda self: field(self.tcr, 34, 32))
    ha = property(lambda self: bool(bit(self.tcr, 39)))
    hd = property(lambda self: bool(bit(self.tcr, 40)))
    ds = property(lambda self: bool(bit(self.tcr, 59)))
    mmu_on = property(lambda self: bool(bit(self.sctlr, 0)))
    icache_on = property(lambda self: bool(bit(self.sctlr, 12)))
    wxn = property(lambda self: bool(bit(self.sctlr, 19)))
    epan = property(lambda self: bool(bit(self.sctlr, 57)))
    pie = property(lambda self: bool(bit(self.tcr2, 1)))
    d128 = property(lambda self: bool(bit(self.tcr2, 5)))
    mode = property(lambda self: riscv.mode_of(self.satp))
    translating = property(lambda self: bool(self.mode) or self.mmu_on)

    def attributes(self, index: int) -> int:
        """The MAIR byte of an attribute index (spec 1.4); from 8 on of MAIR2."""
        return ((self.mair2 << 64 | self.mair) >> (8 * index)) & 0xFF


def is_device(attr: int) -> bool:
    return attr & 0xF0 == 0


def is_non_cacheable(attr: int) -> bool:
    return attr in (0x44, 0x40)
