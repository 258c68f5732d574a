"""The seeded defects as data: where, what becomes what, and the test that must notice.

Each row changes one place of one source file; the place must exist exactly once, whatever white
space it is written with. `source` names the defect of a published MMU that the row repeats ("ours":
none is known)."""

from dataclasses import dataclass

SCOPE = "rtl/src/granule/tlb/InvalidateScope.scala"
SWEEP = "rtl/src/granule/tlb/InvalidateSweep.scala"
MICRO = "rtl/src/granule/tlb/MicroTlb.scala"
WALKER = "rtl/src/granule/walk/Walker.scala"
PERMISSIONS = "rtl/src/granule/walk/Permissions.scala"
GEOMETRY = "rtl/src/granule/walk/Geometry.scala"
HELD = "rtl/src/granule/walk/HeldEntry.scala"
ENTRY = "rtl/src/granule/walk/Entry.scala"
KILL = "rtl/src/granule/walk/Kill.scala"
FORMATS = "rtl/src/granule/format/Formats.scala"
KEY = "rtl/src/granule/tlb/TlbKey.scala"
UNIT = "rtl/src/granule/mmu/TranslateUnit.scala"
MMU = "rtl/src/granule/mmu/Mmu.scala"
IP = "rtl/src/granule/mmu/MmuIp.scala"
CPU = "rtl/src/granule/cpu/Cpu.scala"
CSR = "rtl/src/granule/cpu/Csr.scala"
SERIAL = "rtl/src/granule/cpu/SerialOperations.scala"

RACE = "mmu.cocotb_mmu_race"
INVALIDATE = "mmu.cocotb_mmu_invalidate"
CHANGE = "mmu.cocotb_mmu_context"
FAULT = "mmu.cocotb_mmu_fault"
RESIDENCY = "mmu.cocotb_mmu_residency"
TRANSLATE = "mmu.cocotb_mmu_translate"
LATENCY = "mmu.cocotb_mmu_latency"
DIRECTED = "cpu.cocotb_directed"


@dataclass(frozen=True)
class Mutant:
    """`killer`: the cocotb test, or for files of the golden model the pytest file, that must
    fail."""

    name: str
    defect: str
    source: str
    file: str
    old: str
    new: str
    module: str
    killer: str
    also: tuple[str, str] | None = None
    unit: str = "mmu:vmsa48_nocache"


MUTANTS = [
    Mutant(
        "B1-same-cycle",
        "an invalidation in the cycle in which the walk looks at an entry does not stop it",
        "rocket-chip PR 2534",
        WALKER,
        "when(io.invalidated.valid && covered)(killed := True)",
        "when(io.invalidated.valid && covered && !stepping)(killed := True)",
        RACE,
        "every_kind_at_every_offset",
    ),
    Mutant(
        "B1-early-done",
        "completion is reported before the entries were looked at",
        "rocket-chip PR 2534",
        SWEEP,
        "io.port.done := state === State.finish",
        "io.port.done := state === State.decode",
        RACE,
        "every_kind_at_every_offset",
    ),
    Mutant(
        "B2-stale-selector",
        "the selector of the command before decides the length of a range",
        "cva6 #3307",
        SCOPE,
        "MuxOH.or(named, pages.map(p => (scaled",
        "MuxOH.or(granule, pages.map(p => (scaled",
        INVALIDATE,
        "range_boundaries",
    ),
    Mutant(
        "B3-forms-ignored",
        "the all-ASID forms act on one ASID only",
        "cva6 #1454",
        SCOPE,
        "anyAsid := is(InvalidateKind.vaAllAsids, InvalidateKind.rangeAllAsids)",
        "anyAsid := False",
        INVALIDATE,
        "table_of_what_must_go",
    ),
    Mutant(
        "B4-global-kept",
        "an invalidation by VA keeps global entries of another ASID",
        "cvw PR 1768",
        SCOPE,
        "(anyAsid || key.global || sameAsid)",
        "(anyAsid || sameAsid)",
        INVALIDATE,
        "table_of_what_must_go",
    ),
    Mutant(
        "B4-global-lost",
        "an invalidation by ASID drops global entries too",
        "cva6 #364",
        SCOPE,
        "byAsid && !key.global && sameAsid",
        "byAsid && sameAsid",
        INVALIDATE,
        "table_of_what_must_go",
    ),
    Mutant(
        "B5-other-requester",
        "the answer of a walk goes to the port that asks now, not to the one that asked",
        "cva6 #3475",
        MMU,
        "when(request.fire)(owner := next)",
        "when(request.fire)(owner := (data.io.request.valid ? Owner.data | Owner.fetch))",
        CHANGE,
        "two_requesters_of_one_walker",
    ),
    Mutant(
        "B5-late-asid",
        "the entry gets the ASID of the end of the walk",
        "sargantana #112",
        WALKER,
        "leaf.asid := context.asid",
        "leaf.asid := WalkContext.asid(io.context, config)",
        CHANGE,
        "task_switch",
    ),
    Mutant(
        "B6-reserved-entry",
        "a block where none may be is accepted",
        "cva6 #3420",
        ENTRY,
        "bit.bool(word) ? last | geometry.blockAllowed(shape, level)",
        "bit.bool(word) ? last | True",
        FAULT,
        "every_type_at_every_level",
    ),
    Mutant(
        "B6-unchecked-hit",
        "permissions are not checked for what is resident",
        "cva6 #3456",
        UNIT,
        "!found.check.allowed(found.mapping.permissions)",
        "(!found.check.allowed(found.mapping.permissions) && RegNext(io.leaf.valid, False))",
        TRANSLATE,
        "every_permission_cold_and_hot",
    ),
    Mutant(
        "B7-cause-of-the-walk",
        "a fault of a walk is always reported as that of a read",
        "cva6 #3299",
        UNIT,
        "rsp.wnr := cmd.access === Access.write",
        "rsp.wnr := False",
        FAULT,
        "bus_error_at_each_level",
    ),
    Mutant(
        "B8-one-cycle-off",
        "the canonical check looks at the address of the access before",
        "cva6 #3404",
        UNIT,
        "highBitsCanonical(cmd.va, ignoreTop)",
        "highBitsCanonical(RegNext(cmd.va), ignoreTop)",
        CHANGE,
        "good_and_bad_accesses_in_turn",
    ),
    Mutant(
        "B9-misplaced-slice",
        "the size of an entry opens one segment of address bits too few",
        "cva6 PR 3347",
        FORMATS,
        "else code(larger - 1)",
        "else code(larger.min(codeBits - 1))",
        TRANSLATE,
        "every_block_and_page_size",
    ),
    Mutant(
        "B10-priority",
        "an access flag fault hides an address size fault",
        "VexiiRiscv PR 170",
        HELD,
        "    tooWide -> FaultStatus.addressSize,",
        "    (tooWide && (isTable || entry.accessFlag)) -> FaultStatus.addressSize,",
        FAULT,
        "priority_at_the_leaf",
    ),
    Mutant(
        "B11-model",
        "the golden model does not sign-extend the address of an invalidation",
        "sail-riscv PR 496",
        "tb/model/tlbi.py",
        "return value - (1 << 56) if bit(va, 55) else value",
        "return value",
        "pytest",
        "model/test_tlbi.py",
    ),
    Mutant(
        "B11-sign",
        "the sign of a range's base is ignored",
        "sail-riscv PR 729",
        SCOPE,
        "val base = operand(36 downto 0).asSInt",
        "val base = (B(0, 1 bits) ## operand(35 downto 0)).asSInt",
        RACE,
        "upper_half_and_deep_addresses",
    ),
    Mutant(
        "B13-fault-kept",
        "an entry with the access flag clear is remembered",
        "VexRiscv #60",
        WALKER,
        "io.walk.leafNext := stepEnds && !step.faulty",
        "io.walk.leafNext := stepEnds && !step.isTable && step.valid",
        RESIDENCY,
        "a_fault_is_not_remembered",
        also=(
            "when(io.walk.fault.valid || io.walk.leaf.valid",
            "when(io.walk.fault.valid && !io.walk.leafNext || io.walk.leaf.valid",
        ),
    ),
    Mutant(
        "B15-idle-assumed",
        "nobody thought of an invalidation during a walk",
        "cva6 #2974",
        WALKER,
        "when(io.invalidated.valid && covered)(killed := True)",
        "when(False)(killed := True)",
        RACE,
        "every_kind_at_every_offset",
    ),
    Mutant(
        "a4-ghost-response",
        "a killed walk goes idle without waiting for the answer that is due",
        "cva6 #1184",
        WALKER,
        "(state === State.waiting || state === State.swapping) && io.memory.rsp.valid",
        "(state === State.waiting || state === State.swapping)",
        RACE,
        "slow_memory_ghost_response",
    ),
    Mutant(
        "a6-orphan",
        "the end of a walk that nobody waits for is taken for that of the next access",
        "C910 #65",
        MMU,
        ".elsewhen(answered)(orphan := True)",
        ".elsewhen(False)(orphan := True)",
        CHANGE,
        "a_walk_that_nobody_waits_for",
    ),
    Mutant(
        "b15-multi-hit",
        "an entry is installed beside one that it overlaps, and a hit ORs both",
        "cva6 #2952",
        MICRO,
        "when(matches(i))(valid(i) := False)",
        "when(False)(valid(i) := False)",
        RESIDENCY,
        "size_change_without_break_before_make",
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
        "when(!first && used && !pie)(below",
        "when(!first && used && !pie && entryLevel =/= 2)(below",
        TRANSLATE,
        "every_permission_cold_and_hot",
    ),
    Mutant(
        "f26-truncated-tag",
        "a hit ignores the address bits above the tag",
        "sail-riscv #729",
        UNIT,
        "val hit = tlb.io.hit && lookup.known && high",
        "val hit = tlb.io.hit && lookup.known",
        FAULT,
        "non_canonical_addresses",
    ),
    Mutant(
        "f28-size-of-tables",
        "the address in a table entry is not checked against the output size",
        "rocket #3164",
        HELD,
        "((isTable ? field | output) & above).orR",
        "(!isTable && (output & above).orR)",
        FAULT,
        "address_size",
    ),
    Mutant(
        "ours-range-first",
        "off by one at the first page of a range",
        "ours",
        SCOPE,
        "lastPage >= first",
        "lastPage > first",
        INVALIDATE,
        "range_boundaries",
    ),
    Mutant(
        "ours-range-last",
        "off by one behind the last page of a range",
        "ours",
        SCOPE,
        "firstPage < end",
        "firstPage <= end",
        INVALIDATE,
        "range_boundaries",
    ),
    Mutant(
        "ours-range-wrap",
        "a range runs over the end of its half",
        "ours",
        SCOPE,
        "key.tag.msb === first.msb &&",
        "",
        INVALIDATE,
        "range_at_the_end_of_its_half",
    ),
    Mutant(
        "ours-block-inside",
        "a block that begins inside of a range is compared by the page that was accessed",
        "ours (was in this design)",
        KEY,
        "def firstPage: Bits = tag & tagCare",
        "def firstPage: Bits = tag",
        INVALIDATE,
        "block_partly_inside_a_range",
    ),
    Mutant(
        "ours-page-bits",
        "bits 21:20 of the output address are dropped",
        "ours",
        HELD,
        "(output & ~inside(kept))(config",
        "(output & ~inside(kept) & ~B(3 << 20, 48 bits))(config",
        TRANSLATE,
        "every_tnsz_of_every_granule",
    ),
    Mutant(
        "ours-operand-asid",
        "the ASID of an invalidation is compared with eight bits",
        "ours",
        SCOPE,
        "key.asid.resize(16) === asid",
        "key.asid(7 downto 0) === asid(7 downto 0)",
        INVALIDATE,
        "asid_of_the_operand_not_of_the_context",
    ),
    Mutant(
        "36-one-way",
        "one entry of each TLB is never swept",
        "microwatt mmu.vhdl",
        MICRO,
        "when(place === n)(valid(i) := False)",
        "when(place === n && Bool(i != 5))(valid(i) := False)",
        INVALIDATE,
        "every_entry_by_its_own_fill",
    ),
    Mutant(
        "h33-range-by-pages",
        "a range takes longer than other kinds",
        "microwatt c78d9b3",
        SWEEP,
        "is(State.settle)(state := State.finish)",
        "is(State.settle)(when(!scope.byRange || RegNext(state === State.settle, False))"
        "(state := State.finish))",
        LATENCY,
        "every_kind_takes_the_same_cycles",
    ),
    Mutant(
        "satp-late",
        "what was fetched before satp was written is executed behind it",
        "ours",
        CPU,
        "SystemOp.csr -> csr.io.writesSatp,",
        "SystemOp.csr -> False,",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "sfence-by-value",
        "a zero in a register of sfence.vma counts as x0",
        "ours",
        SERIAL,
        "val byVa   = slot.instruction(19 downto 15) =/= 0",
        "val byVa = va =/= 0",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "sfence-bare",
        "sfence.vma spares what Bare mode does not name",
        "ours",
        SERIAL,
        "when(satp(31))",
        "when(True)",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "asid-8-bits",
        "sfence.vma sends eight bits of the ASID",
        "ours",
        SERIAL,
        "asid.resize(16)",
        "asid(7 downto 0).resize(16)",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "pan-for-user",
        "SUM is asked for in U-mode",
        "ours",
        CSR,
        "p.pan := m === Mode.supervisor && pan",
        "p.pan := pan",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "mxr-lost",
        "loads do not carry MXR",
        "ours",
        CSR,
        "!status.sum, status.mxr)",
        "!status.sum, False)",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "tvm-forgotten",
        "TVM does not keep S-mode off satp",
        "ours",
        CSR,
        "Some(!(isSupervisor && status.tvm))",
        "None",
        DIRECTED,
        "sv32_control",
        unit="cpubench:teaching",
    ),
    Mutant(
        "bare-is-flat",
        "S-mode without tables takes the flat map of VMSAv8-64",
        "ours",
        IP,
        "port.cmd.untranslated || bare",
        "port.cmd.untranslated",
        "mmu.cocotb_registers",
        "bare_until_somebody_translates",
        unit="mmuip:teaching",
    ),
]
