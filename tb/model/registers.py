"""The registers that steer a translation, and the half of the address space that a VA selects."""

from dataclasses import dataclass
from functools import cached_property

from . import riscv
from .bits import bit, field
from .fields import IPS_BITS, SCTLR, TCR, TCR2, TG0, TG1

TG0_GRANULE = {code: granule for granule, code in TG0.items()} | {0b11: 12}  # choice 4K (spec 11)
TG1_GRANULE = {code: granule for granule, code in TG1.items()} | {0b00: 12}  # choice 4K
HA, HD = 1 << 39, 1 << 40  # of TCR: hardware updates access flag, dirty state
IPS_48, AS_16 = 5 << 32, 1 << 36  # of TCR: outputs of 48 bits, ASIDs of 16
WXN, EPAN = 1 << 19, 1 << 57  # of SCTLR
FLAGS = ("tbi", "tbid", "epd", "e0pd", "hpd")  # of TCR, for each half
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
        return self._half(upper=False), self._half(upper=True)

    def _half(self, *, upper: bool) -> Half:
        n = int(upper)
        tcr, tcr2 = TCR.decode(self.tcr), TCR2.decode(self.tcr2)
        granules = TG1_GRANULE if upper else TG0_GRANULE
        return Half(
            upper=upper, tnsz=tcr[f"T{n}SZ"], granule=granules[tcr[f"TG{n}"]],
            ttbr=self.ttbr1 if upper else self.ttbr0, sh=tcr[f"SH{n}"],
            disch=bool(tcr2[f"DisCH{n}"]),
            **{name: bool(tcr[f"{name.upper()}{n}"]) for name in FLAGS},
        )  # fmt: skip

    def half(self, va: int) -> Half:
        """VA[55] decides, even when the bits above it are wrong (spec 2.1)."""
        return self.halves[bit(va, 55)]

    @property
    def asid(self) -> int:
        """The ASID in use: A1 chooses the register, AS = 0 leaves eight bits (spec 8.1)."""
        if self.mode:
            return field(self.satp, *riscv.SCHEMES[self.mode].asid)
        ttbr = self.ttbr1 if TCR.get(self.tcr, "A1") else self.ttbr0
        return field(ttbr, 63, 48) if TCR.get(self.tcr, "AS") else field(ttbr, 55, 48)

    ips = property(lambda self: TCR.get(self.tcr, "IPS"))
    ips_bits = property(lambda self: IPS_BITS[self.ips])
    ha = property(lambda self: bool(TCR.get(self.tcr, "HA")))
    hd = property(lambda self: bool(TCR.get(self.tcr, "HD")))
    ds = property(lambda self: bool(TCR.get(self.tcr, "DS")))
    mmu_on = property(lambda self: bool(SCTLR.get(self.sctlr, "M")))
    icache_on = property(lambda self: bool(SCTLR.get(self.sctlr, "I")))
    wxn = property(lambda self: bool(SCTLR.get(self.sctlr, "WXN")))
    epan = property(lambda self: bool(SCTLR.get(self.sctlr, "EPAN")))
    pie = property(lambda self: bool(TCR2.get(self.tcr2, "PIE")))
    d128 = property(lambda self: bool(TCR2.get(self.tcr2, "D128")))
    mode = property(lambda self: riscv.mode_of(self.satp))
    translating = property(lambda self: bool(self.mode) or self.mmu_on)

    def attributes(self, index: int) -> int:
        """The MAIR byte of an attribute index (spec 1.4); from 8 on of MAIR2."""
        return ((self.mair2 << 64 | self.mair) >> (8 * index)) & 0xFF


def is_device(attr: int) -> bool:
    return attr & 0xF0 == 0


def is_non_cacheable(attr: int) -> bool:
    return attr in (0x44, 0x40)
