"""Seeded defects of the AXI bridge."""

from campaigns.mutants.mutant import Mutant

ROOM = "rtl/src/granule/bridge"
UNIT = "devicemmu:vmsa48_nocache"
ORDER = "unit.bridge.cocotb_bridge_order"
DATA = "unit.bridge.cocotb_bridge_data"
INVALIDATE = "unit.bridge.cocotb_bridge_invalidate"
TRANSLATE = "unit.bridge.cocotb_bridge_translate"
FAULTS = "unit.bridge.cocotb_bridge_faults"


def mutant(name: str, defect: str, file: str, *rest) -> Mutant:
    """`rest`: what becomes what, the module and its test, what else becomes what."""
    return Mutant(f"bridge-{name}", defect, "ours", f"{ROOM}/{file}.scala", *rest, unit=UNIT)


BRIDGE_MUTANTS = [
    mutant(
        "passes-own-id",
        "a hit is issued before an older transaction of its ID that waits",
        "AxiBridge",
        "val behind = isFresh && of(transaction.write)(_.waiting.hasElder)",
        "val behind = False",
        ORDER,
        "many_misses_wait_at_once",
    ),
    mutant(
        "slverr-early",
        "SLVERR overtakes an older answer of its ID that the bus owes",
        "Refusal",
        "setWhen (busy && !inFlight.io.owes)",
        "setWhen busy",
        ORDER,
        "slverr_keeps_its_place_in_the_order_of_its_id",
    ),
    mutant(
        "one-beat-short",
        "SLVERR of a read is a beat short",
        "Refusal",
        "answers.last := beat === lenOf(slot)",
        "answers.last := beat + 1 === lenOf(slot)",
        ORDER,
        "slverr_of_another_id_does_not_wait_for_the_bus",
    ),
    mutant(
        "answer-before-data",
        "a write is refused before its data has come",
        "Refusal",
        "choose(Vec(waiting.refused.zip(complete).map { case (refused, data) => "
        "refused && data }))",
        "choose(waiting.refused)",
        DATA,
        "data_of_a_terminated_write_is_drained",
    ),
    mutant(
        "done-early",
        "an invalidation does not wait for the bus",
        "Translator",
        "io.invalidate.done := (marked || waits) && !io.owed",
        "io.invalidate.done := marked || waits",
        INVALIDATE,
        "done_waits_for_reads",
    ),
    mutant(
        "stale-leaf",
        "what a walk found is installed although an invalidation concerned it",
        "BridgeWalk",
        "def installable: Bool = found && !stale",
        "def installable: Bool = found",
        INVALIDATE,
        "a_walk_that_it_overtakes_is_made_again",
    ),
    mutant(
        "old-root",
        "a walk is asked for with a root from before an invalidation",
        "BridgeWalk",
        "state === State.asking && !invalidated.valid",
        "state === State.asking",
        INVALIDATE,
        "another_root_of_the_same_asid",
    ),
    mutant(
        "crosses-4k",
        "a burst may leave its 4 KiB",
        "Transaction",
        "B(Transaction.incr) -> !last.msb",
        "B(Transaction.incr) -> True",
        TRANSLATE,
        "bursts_that_may_not_pass",
    ),
    mutant(
        "idle-early",
        "idle is said while the bus owes answers",
        "AxiBridge",
        "directions.map(d => !d.waiting.taken.orR && d.inFlight.io.idle).andR",
        "directions.map(d => !d.waiting.taken.orR).andR",
        FAULTS,
        "shut_down_and_restart_lose_nothing",
    ),
    mutant(
        "stalled-lost",
        "a transaction that stalls is answered when the queue has no room",
        "AxiBridge",
        "waitsFor.software := faults && outcome.stalls",
        "waitsFor.software := False",
        FAULTS,
        "what_stalls_with_a_full_queue_is_found_by_its_slot",
        ("waitsFor.refusal := faults && !outcome.stalls", "waitsFor.refusal := faults"),
    ),
]
