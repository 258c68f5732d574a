"""Seeded defects of posted invalidations, and of the agents that one spares."""

from campaigns.mutants.mutant import Mutant

QUEUE = "rtl/src/granule/tlb/InvalidateQueue.scala"
BROADCAST = "rtl/src/granule/tlb/InvalidateBroadcast.scala"
REGISTERS = "rtl/src/granule/mmu/MmuRegisters.scala"
SYNC = "rtl/src/granule/mmu/TlbiSyncRegister.scala"
IP = "rtl/src/granule/mmu/MmuIp.scala"

UNIT = "mmuip:teaching_dma"
QUEUE_TEST = "unit.tlb.cocotb_invalidate_queue"
BROADCAST_TEST = "unit.tlb.cocotb_invalidate_broadcast"
POSTED_TEST = "unit.mmu.cocotb_mmu_posted"

POSTED_MUTANTS = [
    Mutant(
        "posted-sync-early",
        "all is complete when the queue is empty, whatever the agents have",
        "ours",
        QUEUE,
        "open === 0 || open === 1 && io.port.done",
        "!oldest.valid",
        QUEUE_TEST,
        "any_sender_and_any_agents",
        unit=UNIT,
        part="InvalidateQueue",
    ),
    Mutant(
        "posted-dropped",
        "a full queue takes a command and loses it",
        "ours",
        QUEUE,
        "places.io.push << io.sent",
        "places.io.push << io.sent.toFlow.toStream",
        QUEUE_TEST,
        "the_fifth_waits_and_none_is_lost",
        unit=UNIT,
        part="InvalidateQueue",
    ),
    Mutant(
        "posted-spares-by-newest",
        "who is spared is that of the newest command",
        "ours",
        QUEUE,
        "io.spared := oldest.spared",
        "io.spared := io.sent.spared",
        QUEUE_TEST,
        "any_sender_and_any_agents",
        unit=UNIT,
        part="InvalidateQueue",
    ),
    Mutant(
        "local-to-all",
        "an invalidation that is local goes to all agents",
        "ours",
        BROADCAST,
        "cmd.throwWhen(spared)",
        "cmd",
        BROADCAST_TEST,
        "who_is_spared_is_not_told",
        unit=UNIT,
        part="InvalidateBroadcast",
    ),
    Mutant(
        "local-to-none",
        "an invalidation that is local goes to nobody",
        "ours",
        BROADCAST,
        "io.cpu -> io.spared.cpu",
        "io.cpu -> io.spared.devices",
        BROADCAST_TEST,
        "who_is_spared_is_not_told",
        unit=UNIT,
        part="InvalidateBroadcast",
    ),
    Mutant(
        "broadcast-overtakes",
        "an agent that is done takes the next command while another has the last one",
        "ours (was in this design)",
        BROADCAST,
        "io.sender.cmd.haltWhen(open)",
        "io.sender.cmd",
        BROADCAST_TEST,
        "every_agent_is_told_and_waited_for",
        unit=UNIT,
        part="InvalidateBroadcast",
    ),
    Mutant(
        "sync-waits-not",
        "a sync is acknowledged at once",
        "ours",
        SYNC,
        "when(waiting) { bus.writeHalt() }",
        "",
        POSTED_TEST,
        "posted_in_order_and_sync_waits_for_all",
        unit=UNIT,
    ),
    Mutant(
        "waits-not-for-older",
        "a TLBI that is not posted ends when the queue has it",
        "ours",
        REGISTERS,
        "posted ? queue.io.sent.ready | sent && queue.io.complete",
        "posted ? queue.io.sent.ready | sent",
        POSTED_TEST,
        "one_that_is_not_posted_waits_for_those_before",
        unit=UNIT,
    ),
    Mutant(
        "sfence-spares",
        "SFENCE.VMA spares whom the TLBI spares that waits beside it",
        "ours",
        IP,
        "registers.io.spared.asBits.andMask(arbiter.io.chosenOH(1))",
        "registers.io.spared.asBits",
        POSTED_TEST,
        "sfence_beside_what_is_posted",
        unit=UNIT,
    ),
]
