"""Seeded defects of the hashed table."""

from campaigns.mutants.mutant import Mutant

TABLE = "rtl/src/granule/tlb/HashedTable.scala"
ENTRIES = "rtl/src/granule/tlb/HashedTranslations.scala"
TEST = "unit.mmu.cocotb_hashed_table"
UNIT = "mmu:vmsa48_hashed"


def mutant(name: str, defect: str, file: str, *change: str, test: str) -> Mutant:
    """`change`: what becomes what."""
    return Mutant(f"hashed-{name}", defect, "ours", file, *change, TEST, test, unit=UNIT)


HASHED_MUTANTS = [
    mutant(
        "walks-when-off",
        "what was probed is walked though translation was switched off meanwhile",
        TABLE,
        "private val off = !io.context.enabled && !(",
        "private val off = False && !(",
        test="no_table_is_walked_when_translation_is_off",
    ),
    mutant(
        "ignores-asid",
        "an entry answers every ASID",
        ENTRIES,
        "(HashedTag.global.bool(tag) || HashedTag.asid.of(tag) === page.asid.resized)",
        "True",
        test="random_traffic",
    ),
    mutant(
        "ignores-granule",
        "what is sought is taken for a page of 4K",
        ENTRIES,
        "val pages = formats.granules.indices.map(i => (number >> finer(i)).resize(pageBits))",
        "val pages = formats.granules.indices.map(_ => number)",
        test="what_is_walked_is_found",
    ),
    mutant(
        "enters-groups",
        "a page of a contiguous group is entered",
        ENTRIES,
        "leaf.span === span && leaf.mapping.span === span && ",
        "",
        test="what_is_no_page_is_walked",
    ),
    mutant(
        "clean-writes",
        "a write may use a writable-clean entry",
        TABLE,
        "when(answered && writes && table.isClean(readTag)) { state := ask }",
        "",
        test="a_write_marks_the_page",
    ),
    mutant(
        "enters-killed",
        "a walk enters its page although an invalidation came meanwhile",
        TABLE,
        "when(gone || fills && stopped) { state := idle }",
        "when(gone) { state := idle }",
        test="unmapping_at_every_cycle",
    ),
    mutant(
        "done-too-soon",
        "an invalidation is complete while a tag is being entered",
        TABLE,
        "io.underWay.mayStore := killed && fills && (sent || offered)",
        "io.underWay.mayStore := False",
        test="done_waits_for_a_swap_on_its_way",
    ),
    mutant(
        "twice",
        "a dirty page is entered beside its clean entry",
        TABLE,
        "        when(table.isOf(readTag, sought)) {\n          at := at\n"
        "          takes(at, readTag)\n          chosen := True\n",
        "        when(table.isOf(readTag, sought)) {\n          at := at\n",
        test="a_write_marks_the_page",
    ),
    mutant(
        "old-translation",
        "an entry gets a new tag while its old translation stays when the swap of that was lost",
        TABLE,
        "(isIn(old) ? failed | !won)",
        "(isIn(old, write) ? failed | !won)",
        test="software_is_first",
    ),
]
