"""Seeded defects of the DMA engine."""

from campaigns.mutants.mutant import Mutant

ROOM = "rtl/src/granule/dma"
LISTS = "unit.dma.cocotb_dma_lists"
ERRORS = "unit.dma.cocotb_dma_errors"


def mutant(name: str, defect: str, file: str, *rest) -> Mutant:
    """`rest`: what becomes what, the module and its test."""
    return Mutant(f"dma-{name}", defect, "ours", f"{ROOM}/{file}.scala", *rest, unit="dma:teaching")


DMA_MUTANTS = [
    mutant(
        "one-beat-short",
        "the last burst of an entry lacks a beat",
        "BurstCut",
        "private val ofEntry = beats - 1",
        "private val ofEntry = (beats === 1) ? U(0) | (beats - 2)",
        LISTS,
        "bursts_stay_in_both_pages",
    ),
    mutant(
        "leaves-page",
        "a burst may leave the 4 KiB of its destination",
        "BurstCut",
        "least(above(source), above(destination))",
        "above(source)",
        LISTS,
        "bursts_stay_in_both_pages",
    ),
    mutant(
        "done-early",
        "an entry ends before the bus has acknowledged its last write",
        "Mover",
        "reads === 0 && writes === 0",
        "reads === 0 && begun.io.occupancy === 0",
        LISTS,
        "done_waits_for_the_last_answer",
    ),
    mutant(
        "address-ahead",
        "the address of a write is offered before its data has come",
        "Mover",
        "haltWhen(arrived === 0 || writeFails)",
        "haltWhen(writeFails)",
        LISTS,
        "a_write_waits_for_its_data",
    ),
    mutant(
        "goes-on",
        "what is left of an entry that failed begins all the same",
        "Mover",
        "      cut.drop()\n",
        "",
        ERRORS,
        "errors_say_where",
    ),
    mutant(
        "newer-error",
        "the error of a newer read hides that of an older write",
        "Mover",
        "when(!writeFails) {",
        "when(True) {",
        ERRORS,
        "a_read_error_after_a_write_error",
    ),
    mutant(
        "overlap-unseen",
        "a copy to the second half of its own source begins",
        "ListFetch",
        "place < (entry.bytes << 1)",
        "place < entry.bytes.resize(33)",
        ERRORS,
        "what_overlaps",
    ),
    mutant(
        "overlap-of-two-rows",
        "addresses of two address spaces are compared",
        "DmaEngine",
        "oneRow && fetch.overlaps",
        "fetch.overlaps",
        ERRORS,
        "what_overlaps",
    ),
]
