"""The register states of a case that take turns: tasks with an ASID and a lower half of their own,
or regimes of different granules and formats."""

import random
from dataclasses import dataclass, replace

from cases import registers as states
from cases.shapes import SHAPES, Shape
from cases.world import World, beyond
from model import Features, Registers
from model.regime import regime_of
from model.riscv import SCHEMES, Scheme


class NoRoom(Exception):
    """Two first tables would lie upon each other; another state must be drawn."""


@dataclass(frozen=True)
class Space:
    """shared: the upper half is that of the other spaces too."""

    shape: Shape
    registers: Registers
    shared: bool


def _arm(rng, shape: Shape, features: Features, tables: World, asids: list[int]) -> list[Registers]:
    """As many as there are ASIDs, with one upper half."""
    base, *skl = states.arm(rng, shape, features)
    if len(asids) > 1 or rng.random() < 0.8:
        base = replace(base, tcr=base.tcr & ~(1 << 22))  # the ASID comes from TTBR0
    elif rng.random() < 0.2:
        base = replace(base, tcr=base.tcr | 1 << 22)
    if base.tcr >> 36 & 1:  # with AS = 0 the upper half of the field does not count
        asids = [asid | rng.getrandbits(8) << 8 for asid in asids]

    def root(upper: int, asid: int) -> int:
        # The skip level changes the size of the first table: it is set before the regime is asked.
        hint = replace(base, ttbr0=skl[0] << 1, ttbr1=skl[1] << 1)
        regime = regime_of(hint, features, hint.half(upper << 55))
        x = regime.geometry.first_table_log2
        log2 = x if 0 < x < 48 else 12
        size = regime.output_size
        if rng.random() < 0.02 and size < 48:
            address = beyond(rng, regime, max(log2, 6))
        else:
            address = tables.new_table(log2, size, 6 if regime.wide_base else 5)
        if address is None:  # larger than all of memory: it starts at 0, and only one can
            address = 0
            if tables.tables and (0, 0) in tables.tables:
                raise NoRoom
            tables.tables.append((0, 0))
        return states.with_root(
            rng, base, upper=bool(upper), base=address, x=log2, asid=asid, d128=shape.d128,
            wide=regime.wide_base, skl=skl[upper],
        )  # fmt: skip

    upper = root(1, asids[0])
    return [replace(base, ttbr0=root(0, asid), ttbr1=upper) for asid in asids]


def _riscv(rng, scheme: Scheme, features: Features, tables: World, asids) -> list[Registers]:
    """The Arm registers hold anything, MMU on or off: they must not matter."""
    limit = min(scheme.output, features.pamax)
    other = Registers(rng.getrandbits(64), sctlr=rng.getrandbits(64), mair=rng.getrandbits(64),
                      ttbr0=rng.getrandbits(64), ttbr1=rng.getrandbits(64))  # fmt: skip
    roots = [tables.new_table(12, limit) for _ in asids]
    if None in roots:
        raise NoRoom
    return [
        replace(other, satp=scheme.satp(asid, root))
        for asid, root in zip(asids, roots, strict=True)
    ]


def of_shape(rng: random.Random, shape: Shape, features: Features, tables: World) -> list[Space]:
    """One space, or two tasks."""
    asids = rng.sample(range(256), 2 if rng.random() < 0.35 else 1)
    if shape.napot:
        shape = SHAPES[rng.choice([name for name in features.modes if SCHEMES[name].pte.napot])]
    if shape.riscv:
        high, low = shape.riscv.asid
        asids = [asid | rng.getrandbits(high - low - 7) << 8 for asid in asids]
        return [Space(shape, r, False) for r in _riscv(rng, shape.riscv, features, tables, asids)]
    found = _arm(rng, shape, features, tables, asids)
    return [Space(shape, r, len(found) > 1) for r in found]


def mixed(rng: random.Random, shapes: list[Shape], features: Features, tables: World):
    """One space each of some shapes; RISC-V's may have the ASID of another, as entries are told
    apart by their format."""
    chosen = rng.sample(shapes, min(len(shapes), rng.choice((2, 3))))
    asids = rng.sample(range(256), len(chosen))
    spaces = []
    for n, shape in enumerate(chosen):
        if shape.riscv:
            asid = [rng.choice(asids)]
            found = _riscv(rng, shape.riscv, features, tables, asid)
            spaces += [Space(shape, r, False) for r in found]
        else:
            found = _arm(rng, shape, features, tables, [asids[n]])
            # The ASID of a space is its own, whatever the other half's register says.
            spaces += [Space(shape, replace(r, tcr=r.tcr & ~(1 << 22)), False) for r in found]
    return spaces
