"""The entry format changes while a walk is in flight, at every cycle of it (scenarios a3, a8)."""

from itertools import permutations

from drivers.chain import Chain
from drivers.lockstep import MmuBench, compare, describe, same
from drivers.started import bench_test
from model import Access, Kind, Memory, Registers
from model.geometry import SV32, SV39, SV48, Geometry
from support.on import On

RUNS = [On("mmu:wide")]

PAGE = 3  # the one page that every format maps, each to memory of its own
CHAINS = [
    Chain("64-bit", Geometry(12, 16), asid=1, root=0x4000_0000, page=0x10_0000_0000),
    Chain("DS = 1", Geometry(12, 12), ds=True, asid=2, root=0x5000_0000, page=0x20_0000_0000),
    Chain("D128", Geometry(12, 16, True), asid=3, root=0x6000_0000, page=0x30_0000_0000),
    Chain("Sv32", SV32, asid=1, root=0x7000_0000, page=0x2_0000_0000),
    Chain("Sv39", SV39, asid=1, root=0x8000_0000, page=0x40_0000_0000),
    Chain("Sv48", SV48, asid=1, root=0x9000_0000, page=0x50_0000_0000),
]


async def sweep(bench, access, before, after) -> set[str]:
    """`after` comes into force at every offset from the request on, until the answer is out. Both
    contexts must be exact afterwards without any invalidation: they differ in their ASID."""
    seen = set()
    for offset in range(48):
        bench.context(before)
        await bench.invalidate_all()
        old = bench.golden(access)
        side = bench.request(access)
        await bench.step(offset)
        bench.context(after)
        new = bench.golden(access)
        await bench.until(lambda side=side: not side.busy, "the access")
        outcomes = {"old": same(side.answer, old), "new": same(side.answer, new)}
        assert any(outcomes.values()), (
            f"offset {offset}: {side.answer} is neither {describe(old)} nor {describe(new)}"
        )
        seen |= {name for name, is_it in outcomes.items() if is_it}
        compare(access, await bench.translate(access), new, f"after, offset {offset}")
        bench.context(before)
        compare(access, await bench.translate(access), old, f"back, offset {offset}")
    return seen


@bench_test(MmuBench)
async def every_change_of_format(bench):
    """From each format to each other, at every offset: the walk ends with the old format or starts
    again with the new one, and what it leaves behind is right in both, without an invalidation.
    RISC-V's even have the ASID of another format, and of each other."""
    memory = Memory()
    for chain in CHAINS:
        memory.words.update(chain.tables(PAGE))
    bench.use_memory(memory)
    bench.walk.latency = 3
    access = Access(PAGE << 12 | 0x123, Kind.READ)
    for before, after in permutations(CHAINS, 2):
        first, second = (Registers(**({"tcr": 0} | s.registers)) for s in (before, after))
        seen = await sweep(bench, access, first, second)
        assert seen == {"old", "new"}, f"{before.name} to {after.name}: only {seen}"
