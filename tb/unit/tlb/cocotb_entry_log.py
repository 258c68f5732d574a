"""EntryLog: numbers of all entries of all TLBs, and what their keys become."""

import itertools
import os
import random

import cocotb
from cocotb.triggers import Timer

from model import Features
from model.geometry import SV32, block_levels, geometry, tnsz_limits
from support.configurations import features_of
from support.on import On
from support.seed import run_seed

RUNS = [On("entrylog:wide"), On("entrylog:small", rare=True)]

CONFIG = os.environ.get("GRANULE_CONFIG", "wide")
# Entries of each TLB in the order of their numbers: config/GranuleConfig.
HOLDERS = {
    "wide": {"data": 16, "fetch": 8, "tables": 8},
    "small": {"data": 16, "fetch": 4},
}[CONFIG]


async def install(dut, holder: str | None, entry: int = 0, span: int = 0) -> None:
    """One TLB installs; nobody if `holder` is None."""
    dut.reset.value, dut.clk.value = 0, 0
    for name in HOLDERS:
        getattr(dut, f"io_{name}_valid").value = int(name == holder)
        if name == holder:
            getattr(dut, f"io_{name}_payload").value = entry
    if "tables" in HOLDERS:
        dut.io_tableSpan.value = span
    await Timer(1, "ns")


def found(dut, rng) -> dict[str, int]:
    """What the walk says, at random, of a page of the smallest size."""
    fields = {
        name: rng.getrandbits(len(getattr(dut, f"io_found_{name}")))
        for name in ("tag", "asid", "granule", "global")
    }
    for name, value in fields.items():
        getattr(dut, f"io_found_{name}").value = value
    dut.io_found_span.value = 0
    return fields


def entry(dut, name: str) -> int:
    return int(getattr(dut, f"io_install_payload_entry_{name}").value)


@cocotb.test()
async def every_entry_has_a_number_of_its_own(dut):
    """Data TLB, fetch TLB and walk cache one behind the other."""
    numbers = []
    found(dut, random.Random(1))
    for holder, entries in HOLDERS.items():
        for i in range(entries):
            await install(dut, holder, i)
            assert int(dut.io_install_valid.value)
            numbers.append(int(dut.io_install_payload_number.value))
    assert numbers == list(range(sum(HOLDERS.values())))
    await install(dut, None)
    assert not int(dut.io_install_valid.value)


@cocotb.test()
async def a_key_is_what_the_walk_says(dut):
    rng = random.Random(run_seed())
    for _ in range(200):
        for holder, entries in HOLDERS.items():
            said = found(dut, rng)
            await install(dut, holder, rng.randrange(entries))
            assert entry(dut, "asid") == said["asid"]
            assert entry(dut, "granule") == said["granule"]
            assert entry(dut, "global") == (said["global"] if holder != "tables" else 0)
            if holder != "tables":
                assert (entry(dut, "span"), entry(dut, "firstPage")) == (0, said["tag"])


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
    rng = random.Random(run_seed())
    features = features_of(CONFIG)
    leaves, tables = sizes(features)
    assert len(dut.io_found_span) == len(leaves) - 1
    for holder in HOLDERS:
        for smaller, size in enumerate(tables if holder == "tables" else leaves):
            said = found(dut, rng)
            span = (1 << smaller) - 1
            dut.io_found_span.value = span if holder != "tables" else 0
            await install(dut, holder, 0, span)
            inside = (1 << size - min(features.granules)) - 1
            assert entry(dut, "firstPage") == said["tag"] & ~inside
