"""Seeded defects that random translations found in this hardware once, each of a rule about single
entries; a directed test must notice."""

from campaigns.mutants.formats import DESCRIPTOR
from campaigns.mutants.mutant import Mutant

FORMAT = "rtl/src/granule/format/TableFormat.scala"


def entry(name, defect, file, old, new, *, killer) -> Mutant:
    return Mutant(
        name, defect, "ours", file, old, new, "unit.mmu.cocotb_mmu_entries", killer, unit="mmu:wide"
    )


ENTRY_MUTANTS = [
    entry(
        "root-index-cut",
        "the index of a first table with three skipped levels loses its highest bits",
        FORMAT,
        "stride * (maxSkip.max(maxRootSkip) + 1)",
        "stride * (maxSkip + 1)",
        killer="first_table_of_skipped_levels_is_indexed_by_all_their_bits",
    ),
    entry(
        "sv32-write-execute",
        "an entry that may be written and executed but not read is a leaf",
        DESCRIPTOR,
        "read.bool(word) || execute.bool(word) && !write.bool(word)",
        "read.bool(word) || execute.bool(word)",
        killer="sv32_writable_but_not_readable_is_reserved",
    ),
    entry(
        "sv32-pointer-bits",
        "a pointer with bits that only leaves have is followed",
        DESCRIPTOR,
        "!write.bool(word) && !level.last && zero(reservedInTable)",
        "!write.bool(word) && !level.last",
        killer="sv32_pointer_with_bits_of_a_leaf_is_reserved",
    ),
    entry(
        "block-beyond-output",
        "a block that is larger than the output is kept whole",
        DESCRIPTOR,
        "when(overflows(leafSpan)) { leaf.cachedSpan := formats.spans.code(formats.pageShift)",
        "when(overflows(leafSpan)) {",
        killer="block_larger_than_the_output_is_clipped",
    ),
    entry(
        "group-beyond-output",
        "a contiguous group that is larger than the output is kept whole",
        DESCRIPTOR,
        "fits && placed && !overflows(groupSpan)",
        "fits && placed",
        killer="group_larger_than_the_output_is_clipped",
    ),
]
