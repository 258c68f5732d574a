"""Random register states: legal for the most part, every start level equally often."""

import random

from cases.shapes import Shape
from model import Features, Registers
from model.bits import align_down, mask
from model.geometry import geometry, tnsz_limits
from model.registers import EPAN, IPS_BITS, TG0_GRANULE, TG1_GRANULE, WXN

# One memory type per index, so that a wrong index shows.
MAIR = 0xF4_BB_AA_04_4F_44_00_FF
MAIR2 = 0x0C_EE_DD_08_5F_99_AF_77


def random_tnsz(rng: random.Random, features: Features, shape: Shape, *, ds: bool, skl: int) -> int:
    """Each start level with the same probability; sometimes one that is not legal."""
    low, high = tnsz_limits(shape.granule, features, ds=ds, d128=shape.d128)
    if rng.random() < 0.03:
        return rng.randrange(64)
    by_level: dict[int, list[int]] = {}
    for tnsz in range(low, high + 1):
        level = geometry(shape.granule, tnsz, shape.d128, skl).start_level
        by_level.setdefault(level, []).append(tnsz)
    legal = [sizes for level, sizes in by_level.items() if level <= 3]
    return rng.choice(rng.choice(legal or [*by_level.values()]))


def _flags(rng: random.Random) -> int:
    """TBI, TBID, HPD and E0PD of both halves; EPD rarely."""
    flags = 0
    for bit, share in ((37, 0.3), (38, 0.3), (51, 0.3), (52, 0.3), (41, 0.25), (42, 0.25),
                       (55, 0.06), (56, 0.06), (7, 0.02), (23, 0.02)):  # fmt: skip
        flags |= (rng.random() < share) << bit
    return flags


def _ips(rng: random.Random, features: Features) -> int:
    if rng.random() < 0.5:
        return rng.choice([n for n in range(8) if IPS_BITS[n] >= features.pamax])
    return rng.randrange(8)


def _codes(granules: dict[int, int], shape: Shape) -> list[int]:
    """All that select the shape's granule, the reserved one included."""
    return [code for code, granule in granules.items() if granule == shape.granule]


def arm(rng: random.Random, shape: Shape, features: Features) -> tuple[Registers, int, int]:
    """Registers without tables, and the skip levels of the two roots."""
    ds = rng.random() < 0.6
    effective = ds and features.lpa2 and shape.granule != 16 and not shape.d128
    skl = [rng.choice((0, 0, 0, 1, 2, 3)) if shape.d128 else 0 for _ in range(2)]
    t0, t1 = (random_tnsz(rng, features, shape, ds=effective, skl=n) for n in skl)
    alone = len(features.granules) == 1  # then every code selects it
    managed = rng.random() < 0.6
    tcr = (
        t0
        | t1 << 16
        | rng.choice(range(4) if alone else _codes(TG0_GRANULE, shape)) << 14
        | rng.choice(range(4) if alone else _codes(TG1_GRANULE, shape)) << 30
        | _ips(rng, features) << 32
        | rng.randrange(2) << 36
        | _flags(rng)
        | managed << 39
        | (rng.random() < 0.7) << 40
        | ds << 59
        | rng.randrange(4) << 12
        | rng.randrange(4) << 28
    )
    sctlr = (rng.random() > 0.02) | rng.randrange(2) << 2 | rng.randrange(2) << 12
    sctlr |= rng.choice((0, 0, WXN)) | rng.choice((0, EPAN))
    registers = Registers(
        tcr=tcr,
        mair=MAIR,
        mair2=MAIR2,
        sctlr=sctlr,
        tcr2=_tcr2(rng, shape) if features.d128 else _two(rng, 0.3) << 1 | _two(rng, 0.3) << 17,
        pir=_permission_indirections(rng),
        pire0=_permission_indirections(rng),
    )
    return registers, skl[0], skl[1]


def _tcr2(rng: random.Random, shape: Shape) -> int:
    """D128, or sometimes PIE alone; DisCH and FNG of both halves."""
    pie = (rng.random() < 0.2) << 1
    return shape.d128 << 5 | pie | _two(rng, 0.25) << 14 | _two(rng, 0.15) << 17


def _two(rng: random.Random, share: float) -> int:
    return (rng.random() < share) | (rng.random() < share) << 1


def _permission_indirections(rng: random.Random) -> int:
    """16 nibbles; those that give something are more frequent."""
    return sum(
        rng.choice((0, 1, 2, 3, 5, 5, 6, 7, 7, 8, 10, 12, 14, rng.randrange(16))) << 4 * n
        for n in range(16)
    )


def with_root(
    rng: random.Random, registers: Registers, *, upper: bool, base: int, x: int, asid: int,
    d128: bool, wide: bool, skl: int,
) -> int:  # fmt: skip
    """TTBR for a first table at `base` of 2^x bytes; bits that count as 0 are random."""
    noise = rng.getrandbits(max(x, 6)) if rng.random() < 0.2 else 0
    inside = noise & mask(x)  # of the first table
    if d128:
        base |= align_down(inside, 5)
        low = align_down(base & mask(48), 5) | noise & 0b11001 | skl << 1
        return base >> 48 << 80 | asid << 48 | low
    if wide:
        low = (base | inside) & mask(48) & ~mask(6)
        return asid << 48 | low | base >> 48 << 2 | noise & 0b11
    return asid << 48 | base & mask(48) | inside
