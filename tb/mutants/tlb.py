"""Seeded defects of TLBs and invalidations, and one of the golden model of invalidations."""

from mutants.mutant import Mutant

SCOPE = "rtl/src/granule/tlb/InvalidateScope.scala"
SWEEP = "rtl/src/granule/tlb/InvalidateSweep.scala"
MICRO = "rtl/src/granule/tlb/MicroTlb.scala"
FORMATS = "rtl/src/granule/format/Formats.scala"
KEY = "rtl/src/granule/tlb/TlbKey.scala"

RACE = "mmu.cocotb_mmu_race"
INVALIDATE = "mmu.cocotb_mmu_invalidate"
RESIDENCY = "mmu.cocotb_mmu_residency"
TRANSLATE = "mmu.cocotb_mmu_translate"
LATENCY = "mmu.cocotb_mmu_latency"

TLB_MUTANTS = [
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
        "def firstPage: Bits = tag & ~inside",
        "def firstPage: Bits = tag",
        INVALIDATE,
        "block_partly_inside_a_range",
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
]
