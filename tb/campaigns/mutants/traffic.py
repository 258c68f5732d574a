"""Seeded defects that show only when the next command, an invalidation or a change of registers
does not wait for what is under way."""

from campaigns.mutants.mutant import Mutant

UNIT = "rtl/src/granule/mmu/TranslateUnit.scala"
WALK_CACHE = "rtl/src/granule/tlb/WalkCache.scala"
DESCRIPTOR = "rtl/src/granule/walk/Descriptor.scala"
WALKER = "rtl/src/granule/walk/Walker.scala"

TRAFFIC = "unit.mmu.cocotb_mmu_traffic"

TRAFFIC_MUTANTS = [
    Mutant(
        "asid-of-the-cycle-before",
        "a command is answered by what was compared with the ASID of before",
        "ours",
        UNIT,
        "c0.isOfNext && c0.identity === c0.previous",
        "c0.isOfNext",
        TRAFFIC,
        "traffic_without_a_pause",
        unit="mmu:vmsa48",
    ),
    Mutant(
        "ahead-always",
        "a command that begins to wait is answered by what was compared for the next one",
        "ours",
        UNIT,
        "!cmd.isStall || io.port.held",
        "True",
        TRAFFIC,
        "traffic_without_a_pause",
        unit="mmu:vmsa48",
    ),
    Mutant(
        "table-found-while-swept",
        "a walk begins at a table that the invalidation under way has not reached yet",
        "ours",
        WALK_CACHE,
        "compared.any(l) := level.orR && !io.swept",
        "compared.any(l) := level.orR",
        TRAFFIC,
        "traffic_without_a_pause",
        unit="mmu:vmsa48",
    ),
    Mutant(
        "table-kept-twice",
        "a walk that found nothing because of an invalidation remembers its tables all the same",
        "ours",
        WALK_CACHE,
        "io.tables.ready := !io.swept",
        "io.tables.ready := True",
        TRAFFIC,
        "traffic_without_a_pause",
        unit="mmu:vmsa48",
    ),
    Mutant(
        "tables-of-another-walk",
        "a walk that starts again looks for tables of the ASID that the registers have by then",
        "ours",
        WALK_CACHE,
        "RegNextWhen(k.of.asid === io.tables.upcoming.payload, io.tables.upcoming.valid)",
        "RegNext(k.of.asid === io.tables.upcoming.payload)",
        "unit.walk.cocotb_restart",
        "a_walk_that_starts_again_keeps_its_asid",
        unit="mmu:vmsa48",
    ),
    Mutant(
        "level-of-the-entry-before",
        "whether a leaf lies in the output size is worked out with the level of the entry above it",
        "ours",
        DESCRIPTOR,
        "val leafSpan = geometry.leafSpan(half.tableFormat, walk.level)",
        "val leafSpan = walk.levelProperties.leafSpan",
        "unit.mmu.cocotb_mmu_fault",
        "address_size",
    ),
    Mutant(
        "table-of-a-killed-walk",
        "a killed walk, whose read is taken after the invalidation, remembers the table",
        "ours",
        WALKER,
        "!walk.first && !killed && usable",
        "!walk.first && usable",
        "unit.walk.cocotb_restart",
        "a_killed_walk_remembers_no_table",
        unit="mmu:vmsa48",
    ),
]
