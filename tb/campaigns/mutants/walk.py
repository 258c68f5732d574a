"""Seeded defects of the walker: entries, permissions, and how a walk ends."""

from campaigns.mutants.mutant import Mutant

WALKER = "rtl/src/granule/walk/Walker.scala"
PERMISSIONS = "rtl/src/granule/walk/Permissions.scala"
CONTEXT = "rtl/src/granule/walk/DecodedContext.scala"
DESCRIPTOR = "rtl/src/granule/walk/Descriptor.scala"
STEP = "rtl/src/granule/walk/Step.scala"

RACE = "unit.mmu.cocotb_mmu_race"
CHANGE = "unit.mmu.cocotb_mmu_context"
FAULT = "unit.mmu.cocotb_mmu_fault"
RESIDENCY = "unit.mmu.cocotb_mmu_residency"
TRANSLATE = "unit.mmu.cocotb_mmu_translate"

WALK_MUTANTS = [
    Mutant(
        "index-beyond-the-output",
        "of a table, only the base is checked against the output size",
        "ours (was in this design)",
        WALKER,
        "(at(walk.output.address) & outsideOutput).orR",
        "(walk.output.address & outsideOutput).orR",
        "unit.walk.cocotb_wide",
        "next_table_beyond_the_output_size",
        unit="mmu:wide",
    ),
    Mutant(
        "cacheability-of-the-other-half",
        "TCR.IRGN0 decides about the walks of both halves",
        "ours",
        CONTEXT,
        "Tcr.irgn(upper).of(tcr)",
        "Tcr.irgn(false).of(tcr)",
        "unit.walk.cocotb_walker",
        "cacheability_of_walks",
    ),
    Mutant(
        "B1-same-cycle",
        "an invalidation in the cycle in which the walk looks at an entry does not stop it",
        "rocket-chip PR 2534",
        WALKER,
        "when(io.invalidated.valid && io.invalidated.payload)",
        "when(io.invalidated.valid && io.invalidated.payload && !isIn(State.step))",
        RACE,
        "every_kind_at_every_offset",
    ),
    Mutant(
        "B5-late-asid",
        "the entry gets the ASID of the end of the walk",
        "sargantana #112",
        WALKER,
        "leaf.asid := walk.context.asid",
        "leaf.asid := io.context.asid",
        CHANGE,
        "task_switch",
    ),
    Mutant(
        "B6-reserved-entry",
        "a block where none may be is accepted",
        "cva6 #3420",
        DESCRIPTOR,
        "bit.bool(word) ? level.last | level.blockAllowed",
        "bit.bool(word) ? level.last | True",
        FAULT,
        "every_type_at_every_level",
    ),
    Mutant(
        "atomic-is-no-write",
        "WnR is 0 for an atomic of which only the write would have faulted",
        "ours (was in this design)",
        WALKER,
        "io.walk.fault.wnr setWhen writeAlone",
        "",
        FAULT,
        "bus_error_of_an_update",
    ),
    Mutant(
        "B10-priority",
        "an access flag fault hides an address size fault",
        "VexiiRiscv PR 170",
        STEP,
        "((first || descriptor.kind.table) ? tableTooWide | walk.output.leafTooWide)",
        "((first || descriptor.kind.table || accessed) && "
        "((first || descriptor.kind.table) ? tableTooWide | walk.output.leafTooWide))",
        FAULT,
        "priority_at_the_leaf",
    ),
    Mutant(
        "B13-fault-kept",
        "an entry with the access flag clear is remembered",
        "VexRiscv #60",
        WALKER,
        "when(step.maps)",
        "when(step.maps || !step.descends && descriptor.kind.valid && !needsCheck)",
        RESIDENCY,
        "a_fault_is_not_remembered",
        also=(
            "when(ends && !isIn(State.idle))",
            "when(ends && !(isIn(State.step) && descriptor.kind.valid && !needsCheck))",
        ),
    ),
    Mutant(
        "B15-idle-assumed",
        "nobody thought of an invalidation during a walk",
        "cva6 #2974",
        WALKER,
        "when(io.invalidated.valid && io.invalidated.payload)",
        "when(False)",
        RACE,
        "every_kind_at_every_offset",
    ),
    Mutant(
        "a4-ghost-response",
        "a killed walk goes idle without waiting for the answer that is due",
        "cva6 #1184",
        WALKER,
        "isIn(State.waiting, State.swapping) && answered",
        "isIn(State.waiting, State.swapping)",
        RACE,
        "slow_memory_ghost_response",
    ),
    Mutant(
        "c17-execute",
        "EL1 may execute what EL0 may write",
        "VexRiscv #487",
        PERMISSIONS,
        "p.el1Execute := !(scheme.pxn.bool(leaf) || above.pxn || p.el0Write)",
        "p.el1Execute := !(scheme.pxn.bool(leaf) || above.pxn)",
        TRANSLATE,
        "every_permission_cold_and_hot",
    ),
    Mutant(
        "c19-hierarchy",
        "table bits of the last table are forgotten",
        "cvw #1198",
        WALKER,
        "when(!walk.first && used && !walk.context.indirect)",
        "when(!walk.first && used && !walk.context.indirect && walk.level =/= 2)",
        TRANSLATE,
        "every_permission_cold_and_hot",
    ),
    Mutant(
        "f28-size-of-tables",
        "the address in a table entry is not checked against the output size",
        "rocket #3164",
        DESCRIPTOR,
        "zeroBitsSet || (output.address & outsideOutput).orR",
        "zeroBitsSet",
        FAULT,
        "address_size",
    ),
    Mutant(
        "ours-page-bits",
        "bits 21:20 of the output address are dropped",
        "ours",
        DESCRIPTOR,
        "leaf.page := output(config",
        "leaf.page := (output & ~B(3 << 20, 48 bits))(config",
        TRANSLATE,
        "every_tnsz_of_every_granule",
    ),
]
