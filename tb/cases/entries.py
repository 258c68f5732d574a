"""Random descriptors of every format: the bits that matter for a purpose, noise in those that do
not."""

import random
from dataclasses import dataclass

from model import Access, Kind
from model.bits import mask
from model.descriptor import Format
from model.geometry import Geometry
from model.regime import Regime
from model.riscv import Pte
from model.tables import AF, DBM, NG, READ_ONLY

V, R, W, X, U, G, A, D = (1 << n for n in range(8))
N = 1 << 63


@dataclass
class Wish:
    """What a leaf is made for. af: None at random; dirty: writable-clean; contiguous: of RISC-V's
    formats, it is one of a group."""

    access: Access
    permissive: bool
    af: bool
    ng: bool
    clean: bool
    contiguous: bool
    indirect: list[int] | None  # permission indexes that allow the access; None: direct ones


def encode_address(fmt: Format | Pte, address: int) -> int:
    if isinstance(fmt, Pte):
        return address >> 12 << 10
    bits = address & mask(fmt.top + 1)
    if fmt.high_from:
        high, low = fmt.high_from
        bits |= (address >> fmt.high_to & mask(high - low + 1)) << low
    return bits


def address_noise(rng: random.Random, fmt: Format, low: int, g: Geometry) -> int:
    """Address bits below the span of a table or leaf, which do not count (spec 4.2)."""
    # Of 64K, bits 15:12 count, or must be zero, except in descriptors of 128 bits.
    first = 12 if g.granule == 14 or fmt.wide else g.granule
    return rng.getrandbits(low - first) << first if low > first and rng.random() < 0.3 else 0


def table(rng: random.Random, regime: Regime, address: int, skl: int = 0) -> int:
    fmt, g = regime.format, regime.geometry
    if regime.riscv:
        return encode_address(fmt, address) | V | rng.getrandbits(2) << 8 | G * rng.randrange(2)
    entry = encode_address(fmt, address)
    if fmt.wide:
        entry |= 1 | skl << 109 | (rng.random() < 0.15) << 112 | rng.getrandbits(10) << 91
        entry |= address_noise(rng, fmt, (skl + 1) * g.stride + g.entry_log2, g)
        return entry | rng.getrandbits(1) << 10
    entry |= 0b11 | address_noise(rng, fmt, g.granule, g)
    if rng.random() < 0.5:
        entry |= rng.getrandbits(8) << 51 | rng.getrandbits(6) << 2
        entry |= rng.getrandbits(2 if fmt.sh is None else 4) << (10 if fmt.sh is None else 8)
    if rng.random() < 0.2:
        entry |= rng.getrandbits(4) << 59
    return entry | rng.getrandbits(1) << 63


def leaf(rng: random.Random, regime: Regime, level: int, address: int, wish: Wish) -> int:
    fmt, g = regime.format, regime.geometry
    if regime.riscv:
        group = wish.contiguous and g.contiguous_log2(level)
        if group:
            address |= 1 << 11 + group
        return encode_address(fmt, address) | _pte_flags(rng, wish) | (N if group else 0)
    entry = encode_address(fmt, address) | AF * wish.af | NG * wish.ng
    if fmt.wide:
        entry |= 1 | (3 - level) << 109 | wish.contiguous << 111 | rng.getrandbits(4) << 2
        entry |= rng.getrandbits(2) << 8 | READ_ONLY * wish.clean | rng.getrandbits(10) << 91
        entry |= address_noise(rng, fmt, g.lsb(level), g)
        return entry | _index(rng, wish) << 115
    entry |= 0b11 if level == 3 else 0b01
    entry |= address_noise(rng, fmt, g.lsb(level), g)
    entry |= rng.getrandbits(4) << 2 | wish.contiguous << 52 | rng.getrandbits(9) << 55
    if fmt.sh:
        entry |= rng.getrandbits(2) << 8
        entry |= rng.getrandbits(2) << 48 if g.granule != 16 and rng.random() < 0.3 else 0
    if wish.indirect is not None:
        index = _index(rng, wish)
        entry |= (index & 1) << 6 | (index >> 1 & 1) << 51 | (index >> 2) << 53
        return entry | READ_ONLY * wish.clean
    if wish.clean:
        entry |= DBM | READ_ONLY
    elif rng.random() < 0.2:
        entry |= DBM
    return entry | _direct_permissions(rng, wish)


def _index(rng: random.Random, wish: Wish) -> int:
    return rng.choice(wish.permissive and wish.indirect or range(16))


def _direct_permissions(rng: random.Random, wish: Wish) -> int:
    """AP, PXN and UXN."""
    access = wish.access
    if not wish.permissive:
        return rng.getrandbits(2) << 53 | rng.getrandbits(2) << 6
    ap = rng.randrange(4)
    if access.el == 0:
        ap |= 0b01
    elif access.pan or access.kind is Kind.EXECUTE:
        ap &= 0b10
    if access.kind.writes:
        ap &= 0b01
    execute_never = rng.getrandbits(2)
    if access.kind is Kind.EXECUTE:
        execute_never &= ~(0b10 if access.el == 0 else 0b01)
    return execute_never << 53 | ap << 6


def _pte_flags(rng: random.Random, wish: Wish) -> int:
    access = wish.access
    flags = rng.choice((R, R | W, X, R | X, R | W | X)) | U * rng.randrange(2)
    if wish.permissive:
        flags |= R
        flags |= W * access.kind.writes | X * (access.kind is Kind.EXECUTE)
        flags = flags | U if access.el == 0 else flags & ~U
    return (
        V | flags | A * wish.af | D * (not wish.clean) | G * (not wish.ng) | rng.getrandbits(2) << 8
    )


def reserved(rng: random.Random, regime: Regime, level: int) -> int:
    """An entry that is invalid: valid bit clear, or a type that this level does not have."""
    fmt, g = regime.format, regime.geometry
    if isinstance(fmt, Pte):
        return _reserved_pte(rng, fmt, level, g)
    noise = rng.getrandbits(64)
    if fmt.wide:
        skips = [n for n in range(4) if level + n > 3 or (n == 3 and g.granule != 12)]
        return noise | 1 | rng.choice(skips) << 109 if skips and rng.randrange(2) else noise & ~1
    if level == 3 or level not in regime.blocks:
        return noise & ~0b11 | rng.choice((0b00, 0b01, 0b10))
    return noise & ~1


def _reserved_pte(rng: random.Random, pte: Pte, level: int, g: Geometry) -> int:
    """One thing is wrong with it, as far as the entry has it: V, rights, a bit that must be zero, a
    pointer, the place of a superpage, the size of a group."""
    full = V | R | W | X | U | A | D
    inside = g.lsb(level) - g.granule
    address = rng.getrandbits(pte.ppn_bits - inside) << 10 + inside
    kinds = [
        rng.getrandbits(63) & ~V,
        address | V | W | rng.choice((0, X)),
        address | V | (rng.choice((U, A, D)) if level < 3 else 0),
    ]
    if level < 3:
        kinds.append(address | full | 1 << 10 + rng.randrange(inside))
    if pte.zero:
        high, low = pte.zero
        kinds.append(address | rng.choice((full, V)) | 1 << rng.randint(low, high))
    if pte.napot:
        size = rng.choice([n for n in range(16) if level < 3 or n != 8])
        kinds += [address & ~(mask(4) << 10) | size << 10 | full | N, address | V | N]
    return rng.choice(kinds) & mask(8 << g.entry_log2)
