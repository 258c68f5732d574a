"""Seeded defects of the data cache where a line is reached under several colours."""

from campaigns.mutants.mutant import Mutant

DATA = "rtl/src/granule/cache/L1Data.scala"
CPU_SIDE = "rtl/src/granule/cache/CpuSide.scala"
FETCH = "rtl/src/granule/cache/L1Fetch.scala"
WALK_SIDE = "rtl/src/granule/cache/WalkSide.scala"
ENGINE = "rtl/src/granule/cache/LineEngine.scala"
RESERVATION = "rtl/src/granule/cache/Reservation.scala"

ALIASES = "unit.cache.cocotb_l1data_aliases"
COPIES = "l1data_copies:teaching"

CACHE_MUTANTS = [
    Mutant(
        "narrow-ccsidr-as-the-wide-one",
        "the 32-bit form of CCSIDR has a bit too few for the ways",
        "ours",
        "rtl/src/granule/cache/CacheRegisters.scala",
        '("associativity", 10, "ways',
        '("associativity", 9, "ways',
        "unit.cache.cocotb_cache_registers",
        "geometry_of_the_selected_cache",
        unit="cacheip:teaching",
        part="CacheRegisters",
    ),
    Mutant(
        "fetch-behind-one-that-waited",
        "a fetch is accepted in the cycle in which the one before it is still announced",
        "ours",
        FETCH,
        "io.cpu.rsp.valid && !waits",
        "io.cpu.rsp.valid",
        "unit.cache.cocotb_l1fetch",
        "random_fetches",
        unit="l1fetch:teaching",
    ),
    Mutant(
        "reservation-survives-a-swap",
        "a swap by the walker between LR and SC does not end the reservation",
        "ours",
        RESERVATION,
        "when(end || ends)",
        "when(end)",
        "unit.cache.cocotb_l1data",
        "no_swap_slips_between_lr_and_sc",
        unit="l1data:teaching",
    ),
    Mutant(
        "served-by-a-bus-error",
        "the command behind an uncached access that fails is accepted",
        "ours",
        CPU_SIDE,
        "(uncached.io.done && !uncached.io.error) ||",
        "uncached.io.done ||",
        "unit.cache.cocotb_l1data",
        "uncached_access_is_one_beat_of_its_size",
        unit="l1data:teaching",
    ),
    Mutant(
        "fresh-tag-is-the-held-one",
        "a lookup compares the held tag also where the access was just translated",
        "ours",
        "rtl/src/granule/cache/CacheGeometry.scala",
        "has(held, !fresh)",
        "has(held, True)",
        "unit.cache.cocotb_l1data_random",
        "random_traffic_agrees_with_flat_memory",
        unit="l1data:teaching",
    ),
    Mutant(
        "access-not-told-again",
        "an access that waits for its translation is not announced again",
        "ours",
        CPU_SIDE,
        "again || waits || translate.held",
        "again || waits",
        "unit.cache.cocotb_l1data_random",
        "random_traffic_agrees_with_flat_memory",
        unit="l1data:teaching",
    ),
    Mutant(
        "walk-past-the-cache-stays",
        "the line that a walk past the cache read stays in the cache",
        "ours",
        WALK_SIDE,
        "val flushes = drops || (hit && last && alone)",
        "val flushes = drops",
        "unit.cache.cocotb_l1data_walk",
        "a_walk_that_is_not_cacheable_sees_stores_past_the_cache",
        unit="l1data:teaching",
    ),
    Mutant(
        "stale-copy",
        "a store leaves the copies under other colours where they are",
        "ours",
        ENGINE,
        "cmd.inPlace || cmd.own || owned)",
        "cmd.inPlace || owned)",
        ALIASES,
        "a_store_leaves_no_stale_copy",
        unit=COPIES,
    ),
    Mutant(
        "store-to-a-copy",
        "a store hits a line that may have copies",
        "ours",
        DATA,
        "hit && (!writes || (hits & arrays.io.tags.map(_.owned).asBits()).orR)",
        "hit",
        ALIASES,
        "a_store_leaves_no_stale_copy",
        unit=COPIES,
    ),
    Mutant(
        "copy-not-flushed",
        "a flush by address ends with the first copy",
        "ours",
        ENGINE,
        "if (geometry.copies) searchAgain()",
        "if (false) searchAgain()",
        ALIASES,
        "a_flush_drops_every_copy",
        unit=COPIES,
    ),
    Mutant(
        "virtual-index",
        "a lookup in the set of the virtual address counts although the index is physical",
        "ours",
        CPU_SIDE,
        "looks && (translated || geometry.sameSet(cmd.va, translate.rsp.pa))",
        "looks",
        ALIASES,
        "reads_through_every_colour",
        unit="l1data_physical:teaching",
    ),
]
