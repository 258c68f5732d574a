"""What is decided before the first descriptor is read: the half, its geometry and format, the range
checks and the address of the first table (spec 1.2, chapter 2, steps 1 and 2 of 4.7)."""

from dataclasses import dataclass, replace

from . import descriptor as formats
from .access import Access
from .bits import align_down, field, mask
from .descriptor import Format
from .faults import FaultKind, TranslationFault
from .features import Features
from .geometry import Geometry, geometry, tnsz_limits
from .registers import Half, Registers
from .riscv import SCHEMES, Pte, Scheme


@dataclass(frozen=True)
class Regime:
    """One half of the address space under the registers in force.

    ds          effective TCR.DS.
    wide_base   TTBR has its 52-bit form.
    riscv       what satp.MODE selects instead of the Arm architecture's formats.
    """

    half: Half
    geometry: Geometry
    format: Format | Pte
    blocks: frozenset[int]
    output_size: int
    ds: bool
    wide_base: bool
    d128: bool
    riscv: Scheme | None = None


def _riscv(scheme: Scheme, registers: Registers, features: Features) -> Regime:
    """One space, both halves of which satp's table maps."""
    g = scheme.geometry
    root = Half(
        upper=False, tnsz=g.tnsz, granule=12, ttbr=field(registers.satp, *scheme.ppn) << 12,
        tbi=False, tbid=False, epd=False, e0pd=False, hpd=True, sh=0, disch=False,
    )  # fmt: skip
    return Regime(
        half=root, geometry=g, format=scheme.pte, blocks=frozenset(g.levels[:-1]),
        output_size=min(scheme.output, features.pamax), ds=False, wide_base=False, d128=False,
        riscv=scheme,
    )  # fmt: skip


def regime_of(registers: Registers, features: Features, half: Half) -> Regime:
    if registers.mode:
        return _riscv(SCHEMES[registers.mode], registers, features)
    if half.granule not in features.granules:
        half = replace(half, granule=features.granules[0])
    d128 = registers.d128 and features.d128
    ds = registers.ds and features.lpa2 and half.granule != 16 and not d128
    fmt, blocks = formats.select(half.granule, ds=ds, lpa=features.lpa, d128=d128)
    cap = 52 if features.lpa and (half.granule == 16 or ds) else 48
    size = min(registers.ips_bits, features.pamax)
    skl = field(half.ttbr, 2, 1) if d128 else 0
    return Regime(
        half=half,
        geometry=geometry(half.granule, half.tnsz, d128, skl),
        format=fmt,
        blocks=blocks,
        output_size=size if d128 else min(size, cap),
        ds=ds,
        wide_base=ds or (half.granule == 16 and registers.ips == 6 and features.lpa),
        d128=d128,
    )


def top_bit(half: Half, access: Access) -> int:
    """Highest VA bit that takes part in range checks (2.2)."""
    return 55 if half.tbi and not (access.kind.fetches and half.tbid) else 63


def check_range(regime: Regime, features: Features, access: Access) -> None:
    """Everything that is a Translation fault at level 0 (2.2, 2.3, 2.5)."""
    if regime.riscv:
        if not regime.riscv.canonical(access.va):
            raise TranslationFault(FaultKind.TRANSLATION, 0)
        return
    half, g = regime.half, regime.geometry
    low, high = tnsz_limits(half.granule, features, ds=regime.ds, d128=regime.d128)
    top = top_bit(half, access)
    upper_bits = field(access.va, top, g.input_size)
    canonical = mask(max(top - g.input_size + 1, 0)) if half.upper else 0
    if (
        not low <= half.tnsz <= high
        or upper_bits != canonical
        or half.epd
        or (half.e0pd and features.e0pd and access.el == 0)
        or g.start_level > 3
    ):
        raise TranslationFault(FaultKind.TRANSLATION, 0)


def table_base(regime: Regime) -> int:
    """The first table's address. Register bits below its alignment count as 0 (choice)."""
    ttbr, x = regime.half.ttbr, regime.geometry.first_table_log2
    if regime.riscv:
        base = ttbr
    elif regime.d128:
        base = field(ttbr, 87, 80) << 48 | align_down(field(ttbr, 47, 0), max(x, 5))
    elif regime.wide_base:
        base = field(ttbr, 5, 2) << 48 | align_down(field(ttbr, 47, 0), max(x, 6))
    else:
        base = align_down(field(ttbr, 47, 0), x)
    return base
