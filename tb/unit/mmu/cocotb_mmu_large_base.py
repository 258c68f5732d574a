"""What DS = 1 does to an invalidation by range (spec 8.4)."""

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import tlbi
from model.tlbi import Invalidation, range_length, range_operand
from support.on import On
from unit.mmu.machine import GRANULES, Machine
from unit.mmu.resident import Experiment, Resident

RUNS = [On("mmu:wide")]


@bench_test(MmuBench)
async def range_with_a_base_in_64k_steps(bench):
    """Spec 8.4: with DS = 1, which only LPA2 has, the base counts in steps of 64 KB for every
    granule."""
    va = 0x5A5A_0001_0000
    for granule in GRANULES:
        for num in (0, 5):
            page = 1 << granule
            length = range_length(num, 0) << granule
            spots = (va - page, va, va + length - page, va + length)
            residents = [Resident(spot, 3) for spot in dict.fromkeys(spots)]
            operand = range_operand(va, granule, num, 0, asid=1, ds=True)
            op = Invalidation(tlbi.Kind.RANGE, operand, ds=True)
            await Experiment(bench, Machine(granule), residents).run(op)
