"""Which way is replaced, in several sets in turn. Policies that remember uses are played against
their models; random victims have tests of their own."""

import random
from itertools import pairwise

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import low, settle, start
from support.seed import run_seed
from unit.cache import geometry
from unit.cache.policy import Lru, Nru, Plru

REMEMBERED = ["agrees_with_the_model", "a_clear_wins_over_a_use"]
RANDOM = ["random_victims_are_spread", "random_victims_hang_on_picks_and_uses_alone"]
RUNS = [
    On("l1data:teaching", part="VictimChooser", tests=REMEMBERED),
    On("l1data_plru:teaching", part="VictimChooser", tests=REMEMBERED),
    On("l1data_nru:teaching", part="VictimChooser", tests=REMEMBERED),
    On("l1data_random:teaching", part="VictimChooser", tests=RANDOM),
]

GEO = geometry.current()
SETS = (0, 1, GEO.sets - 1)


async def bench(dut):
    await start(dut, **low(dut))


async def cycle(dut, **inputs) -> None:
    for name in ("use_valid", "clear_valid", "pick"):
        getattr(dut, f"io_{name}").value = 0
    for name, value in inputs.items():
        getattr(dut, f"io_{name}").value = value
    await FallingEdge(dut.clk)


async def clear(dut, number: int) -> None:
    await cycle(dut, clear_valid=1, clear_payload=number)


async def use(dut, number: int, way: int) -> None:
    await cycle(dut, use_valid=1, use_payload_set=number, use_payload_ways=1 << way)


async def victim(dut, number: int) -> int:
    dut.io_use_valid.value = dut.io_clear_valid.value = dut.io_pick.value = 0
    dut.io_set.value = number
    await settle()
    ways = int(dut.io_victim.value)
    assert ways.bit_count() == 1, f"victim {ways:#b} of set {number}"
    return ways.bit_length() - 1


def model():
    return {"lru": Lru, "plru": Plru, "nru": Nru}[GEO.policy](GEO.ways, 0)


@cocotb.test()
async def agrees_with_the_model(dut):
    """Random uses of three sets, each with its own state, and clears in between."""
    await bench(dut)
    rng = random.Random(run_seed(1))
    models = {}
    for number in SETS:
        await clear(dut, number)
        models[number] = model()
    used = {number: 0 for number in SETS}
    for _ in range(2000):
        number = rng.choice(SETS)
        if rng.random() < 0.01:
            await clear(dut, number)
            models[number], used[number] = model(), 0
            continue
        way = rng.randrange(GEO.ways)
        await use(dut, number, way)
        models[number].use(way)
        used[number] |= 1 << way
        for other in SETS:
            if used[other] == (1 << GEO.ways) - 1:  # before that any way will do
                assert await victim(dut, other) == models[other].victim(), f"set {other}"


@cocotb.test()
async def a_clear_wins_over_a_use(dut):
    """In one cycle, of the set that is cleared."""
    await bench(dut)
    for number in SETS:
        await clear(dut, number)
        fresh = await victim(dut, number)
        await cycle(dut, clear_valid=1, clear_payload=number, use_valid=1,
                    use_payload_set=number, use_payload_ways=1 << fresh)  # fmt: skip
        assert await victim(dut, number) == fresh


async def row(dut, count: int) -> list[int]:
    """Victims of as many picks."""
    found = []
    for n in range(count):
        found.append(await victim(dut, SETS[n % len(SETS)]))
        await cycle(dut, pick=1)
    return found


@cocotb.test()
async def random_victims_are_spread(dut):
    """Every way in its turn would be spread too: each way follows each, itself included."""
    await bench(dut)
    seen = await row(dut, 200 * GEO.ways)
    assert min(map(seen.count, range(GEO.ways))) > 100, [*map(seen.count, range(GEO.ways))]
    assert len({*pairwise(seen)}) == GEO.ways**2


@cocotb.test()
async def random_victims_hang_on_picks_and_uses_alone(dut):
    """A clear begins no row anew, and a victim that was not picked stays; a use changes the row."""
    await bench(dut)
    rows = [await row(dut, 8)]
    for _ in range(10):
        before = await victim(dut, SETS[0])
        for number in SETS:
            await clear(dut, number)
        assert await victim(dut, SETS[0]) == before
        rows.append(await row(dut, 8))
    assert len({*map(tuple, rows)}) == len(rows), "a row came again"
    after_use = []
    for uses in range(4):
        await bench(dut)
        for _ in range(uses):
            await use(dut, SETS[0], 0)
        after_use.append(tuple(await row(dut, 8)))
    assert after_use[0] == tuple(rows[0]) and len({*after_use}) == 4
