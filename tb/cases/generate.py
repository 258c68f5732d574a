"""Random cases of one shape: registers, tables, accesses, changes with the invalidations owed."""

import random
from dataclasses import dataclass

from cases.shapes import SHAPES, Shape
from cases.spaces import NoRoom, Space, mixed, of_shape
from cases.world import Made, World
from model import Access, Features, Kind, Registers
from model.bits import align_down, mask, sign_extend
from model.riscv import Scheme
from model.steps import Ask, Delays, Flush, Load, Step
from model.tlbi import Invalidation, range_operand, signed, va_operand
from model.tlbi import Kind as Tlbi

M64 = mask(64)
KINDS = (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC)
ACCESSES = 12  # of a case
TTL_GRANULE = {12: 1, 14: 2, 16: 3}


@dataclass(frozen=True)
class Case:
    steps: list[Step]
    delays: Delays
    accesses: int


def _signed_address(rng, scheme: Scheme, used: list[int]) -> int:
    """Sv32's requesters have 32 bits; others may give one that is not an address."""
    size = scheme.geometry.input_size
    if used and rng.random() < 0.5:
        va = rng.choice(used) ^ rng.getrandbits(rng.choice((12, 12, 14, 16, 22, 24, 31)))
    else:
        va = rng.getrandbits(size)
    va = sign_extend(va, size - 1)
    if scheme.signed and rng.random() < 0.02:
        va ^= 1 << rng.randrange(size - 1, 64)
    return va


def address_of(rng, shape: Shape, registers: Registers, used: list[int]) -> int:
    """An address, near one that was used before or anywhere; rarely one that no half holds."""
    if shape.riscv:
        return _signed_address(rng, shape.riscv, used)
    upper = rng.randrange(2)
    half = registers.halves[upper]
    size = max(64 - half.tnsz, 12)
    if used and rng.random() < 0.5:
        va = rng.choice(used) ^ rng.getrandbits(rng.choice((12, 14, 16, 18, 22, 26, 30, 36)))
        upper = va >> 55 & 1
        size = max(64 - registers.halves[upper].tnsz, 12)
    else:
        va = rng.getrandbits(min(size, 64))
    low = min(size, 55)
    va &= mask(low)
    if upper:
        va |= M64 ^ mask(low)
    half = registers.halves[upper]
    if half.tbi and rng.random() < 0.6:
        va = va & mask(56) | rng.getrandbits(8) << 56
    if rng.random() < 0.02:
        va ^= 1 << rng.randrange(min(low, 63), 64)
    return va


def access_of(rng, space: Space, used: list[int]) -> Access:
    """Of any kind, from either exception level."""
    va = address_of(rng, space.shape, space.registers, used)
    used.append(va)
    return Access(va, rng.choice(KINDS), rng.randrange(2), rng.random() < 0.3,
                  mxr=rng.random() < 0.4)  # fmt: skip


def _flush(rng, world: World, made: Made, space: Space) -> Invalidation:
    """An invalidation that covers what `made` mapped, for every space that may use it."""
    shape, registers = space.shape, space.registers
    shared = space.shared and bool(made.va >> 55 & 1)
    granule, start = shape.granule, align_down(made.va, made.span)
    inside = start + rng.randrange(1 << made.span) & M64
    last = not made.table and rng.random() < 0.5
    pages = 1 << made.span - granule
    asid = registers.asid & mask(world.features.asid_bits)
    ds = shape.d128 or world.features.lpa2 and bool(registers.tcr >> 59 & 1)
    choices = [Tlbi.ALL]
    if not made.table:
        choices += [Tlbi.VA_ALL_ASIDS] * 2 + ([] if shared else [Tlbi.VA] * 2)
    in_base = -1 << 52 <= signed(start) < 1 << 52  # what the base of a range can hold
    if shape.format != "sv32" and pages <= 1 << 21 and in_base:
        choices += [Tlbi.RANGE_ALL_ASIDS] + ([] if shared else [Tlbi.RANGE])
    if made.ng and not shared and not (made.table and world.globals):
        choices += [Tlbi.ASID]
    kind = rng.choice(choices)
    if kind.is_range:
        unit = 16 if ds or granule == 16 else granule
        first = align_down(start, unit)
        scale = next(n for n in range(4) if 32 << 5 * n + 1 >= pages + (1 << unit - granule))
        needed = pages + (start - first >> granule)
        num = -(-needed // (1 << 5 * scale + 1)) - 1
        operand = range_operand(first, granule, num, scale, asid=asid, ds=ds)
        return Invalidation(kind, operand, last, ds)
    if kind in (Tlbi.VA, Tlbi.VA_ALL_ASIDS):
        # A group that the output cannot hold is kept as single members, of which only one must go.
        if len(made.slots) > 1 and made.span > made.place.regime.output_size:
            return Invalidation(Tlbi.ALL)
        hint = 0
        if shape.format == "vmsa64" and rng.random() < 0.3 and len(made.slots) == 1:
            hint = TTL_GRANULE[granule] << 2 | made.level if made.level in (2, 3) else 0
        return Invalidation(kind, va_operand(inside, asid, hint), last, ds)
    return Invalidation(kind, va_operand(0, asid), last, ds)


def _change(rng, world: World, number: int, space: Space) -> list[Step]:
    """Takes an entry of this space away, or changes its rights, and invalidates."""
    mine = [m for m in world.made if m.place.space == number or space.shared and m.va >> 55 & 1]
    if not mine:
        return []
    made = rng.choice(mine)
    if made.table and len(world.made) > 1 and rng.random() < 0.5:
        return []
    size = made.place.size
    if made.table or rng.random() < 0.5:
        for slot in made.slots:
            entry = world.fetch(slot, size) or 0
            world.store(slot, entry & ~1 if not made.table or rng.random() < 0.5 else 0, size)
        world.made.remove(made)
    else:
        made.wish.permissive = rng.random() < 0.5
        output = made.place.regime.output_size
        world.write_leaf(made, align_down(rng.getrandbits(output), made.span))
    steps, world.steps = world.steps, []
    return [*steps, Flush(_flush(rng, world, made, space))]


def spaces_of(rng, shape: Shape, features: Features) -> tuple[list[Space], World]:
    """Register states, and the world that holds their first tables."""
    while True:
        tables = World(rng, features, [])
        try:
            if not shape.mixed:
                return of_shape(rng, shape, features, tables), tables
            present = [s for s in SHAPES.values() if s.single and s.present(features)]
            return mixed(rng, present, features, tables), tables
        except NoRoom:
            continue


def case(rng: random.Random, shape: Shape, features: Features) -> Case:
    spaces, tables = spaces_of(rng, shape, features)
    registers = [s.registers for s in spaces]
    world = World(rng, features, registers, tables=tables.tables, grouped=shape.napot)
    steps: list[Step] = [Load(spaces[0].registers), Flush(Invalidation(Tlbi.ALL))]
    used: list[int] = []
    number = 0
    for _ in range(ACCESSES):
        if len(spaces) > 1 and rng.random() < (0.5 if shape.mixed else 0.25):
            number = rng.randrange(len(spaces))
            steps.append(Load(spaces[number].registers))
        space = spaces[number]
        if rng.random() < 0.1:
            steps += _change(rng, world, number, space)
        access = access_of(rng, space, used)
        race = None
        if space.registers.translating:
            race = world.grow(number, access)
            steps += world.steps
            world.steps = []
        steps.append(Ask(access, race))
    least = rng.choice((1, 1, 2))
    delays = Delays(least, rng.choice((least, least + 1, 9)), rng.choice((16, 12, 5)),
                    rng.getrandbits(32))  # fmt: skip
    return Case(steps, delays, ACCESSES)
