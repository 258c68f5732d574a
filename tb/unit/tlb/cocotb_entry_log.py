"""EntryLog: numbers of all entries of all TLBs, and what their keys become."""

import itertools
import os
import random

import cocotb

from model import Features
from model.geometry import SV32, block_levels, geometry, tnsz_limits
from support.configurations import features_of
from support.on import On
from support.parts import Pins, settle
from support.seed import run_seed

RUNS = [On("entrylog:wide"), On("entrylog:small", rare=True)]

CONFIG = os.environ.get("GRANULE_CONFIG", "wide")
# Entries of each TLB in the order of their numbers: soc/GranuleConfig.
HOLDERS = {
    "wide": {"data": 16, "fetch": 8, "tables": 8},
    "small": {"data": 16, "fetch": 4},
}[CONFIG]


class Bench(Pins):
    async def install(self, holder: str | None, entry: int = 0, **inputs: int) -> None:
        """One TLB installs; nobody if `holder` is None."""
        self.dut.reset.value = self.dut.clk.value = 0
        self.put(**{f"{name}_valid": int(name == holder) for name in HOLDERS}, **inputs)
        if holder:
            self.put(**{f"{holder}_payload": entry})
        await settle()

    def found(self, rng) -> dict[str, int]:
        """What the walk says, at random, of a page of the smallest size."""
        fields = {name: rng.getrandbits(len(self.handle(f"found_{name}")))
                  for name in ("tag", "asid", "granule", "global")}  # fmt: skip
        self.put(found_span=0, **{f"found_{name}": value for name, value in fields.items()})
        return fields

    def entry(self, name: str) -> int:
        return self.get(f"install_payload_entry_{name}")


@cocotb.test()
async def every_entry_has_a_number_of_its_own(dut):
    """Data TLB, fetch TLB and walk cache one behind the other."""
    bench, numbers = Bench(dut), []
    bench.found(random.Random(1))
    for holder, entries in HOLDERS.items():
        for i in range(entries):
            await bench.install(holder, i)
            assert bench.get("install_valid")
            numbers.append(bench.get("install_payload_number"))
    assert numbers == list(range(sum(HOLDERS.values())))
    await bench.install(None)
    assert not bench.get("install_valid")


@cocotb.test()
async def a_key_is_what_the_walk_says(dut):
    rng, bench = random.Random(run_seed()), Bench(dut)
    for holder, entries in [*HOLDERS.items()] * 200:
        said = bench.found(rng)
        await bench.install(holder, rng.randrange(entries))
        assert (bench.entry("asid"), bench.entry("granule")) == (said["asid"], said["granule"])
        assert bench.entry("global") == (said["global"] if holder != "tables" else 0)
        if holder != "tables":
            assert (bench.entry("span"), bench.entry("firstPage")) == (0, said["tag"])


def sizes(features: Features) -> tuple[list[int], list[int]]:
    """log2 of all sizes of leaves with their groups, and of what table entries cover."""
    leaves, tables = set(), set()
    kinds = [(ds, d128) for ds in (False, True) for d128 in (False, True)]
    for granule, (ds, d128) in itertools.product(features.granules, kinds):
        if ds > features.lpa2 or d128 > features.d128:
            continue
        tnsz, _ = tnsz_limits(granule, features, ds=ds, d128=d128)
        format_ = geometry(granule, tnsz, d128)
        blocks = block_levels(granule, ds=ds, lpa=features.lpa)
        if d128:  # as many levels as one descriptor may skip (spec 10.4)
            blocks = {0, 1, 2} if granule == 12 else {1, 2}
        for level in format_.levels:
            size = format_.lsb(level)
            if level < 3:
                tables.add(size)
            if level == 3 or level in blocks:
                leaves.add(size)
                if features.use_contiguous:
                    leaves.add(size + format_.contiguous_log2(level))
    if features.sv32:
        leaves |= {SV32.lsb(level) for level in SV32.levels}
        tables.add(SV32.lsb(2))
    return sorted(leaves), sorted(tables)


@cocotb.test()
async def a_larger_entry_begins_at_a_multiple_of_its_size(dut):
    """A size is written as a row of ones, one for each smaller size."""
    rng, bench, features = random.Random(run_seed()), Bench(dut), features_of(CONFIG)
    leaves, tables = sizes(features)
    assert len(bench.handle("found_span")) == len(leaves) - 1
    for holder in HOLDERS:
        span_of = "tableSpan" if holder == "tables" else "found_span"
        for smaller, size in enumerate(tables if holder == "tables" else leaves):
            said = bench.found(rng)
            await bench.install(holder, **{span_of: (1 << smaller) - 1})
            inside = (1 << size - min(features.granules)) - 1
            assert bench.entry("firstPage") == said["tag"] & ~inside
