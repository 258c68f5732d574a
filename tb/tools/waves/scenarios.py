"""What docs/mmu.md shows of the MMU: six scenarios, each as signals to watch and what is done to
the unit `mmu`."""

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import USER, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import READ, VA, WRITE
from model.registers import HA
from model.tables import AF, READ_ONLY
from tools.waves import rows
from tools.waves.rows import Act, Scenario, bit, value

FOUR_KIB, TWO_LEVELS, ROOT = 12, 34, 0x1000  # T0SZ = 34: 30 bits, levels 2 and 3
LATENCY = 2  # cycles from a read that the memory took to its answer
PAGES = {0x5000: 0xA5000, 0x6000: 0xA6000, 0x7000: 0xA7000}
ASKED, ANSWERED = "io_data_cmd_valid", "io_data_cmd_ready"
AHEAD = value("ahead  (c0)", "io_data_ahead_payload", "io_data_ahead_valid")
COMMAND = value("cmd    (c1)", "io_data_cmd_payload_va", ASKED)
READY = bit("ready", ANSWERED, ASKED)
OUTPUT = value("rsp.pa", "io_data_rsp_pa", ASKED, ANSWERED, "!io_data_rsp_fault")
MATCHES = value("c1.matches", "data.tlb.c1_compared_matches", ASKED)
ANY = bit("c1.any", "data.tlb.c1_compared_any_0", ASKED)
KNOWN = bit("c1.known", "data.c1_known", ASKED)
REQUEST = bit("request", "data.io_request_valid")
STATE = value("walker", "walker_1.state_3_string")
READ_COMMAND = value("walk.cmd", "io_walk_cmd_payload_address", "io_walk_cmd_valid")
SWAP = bit("cmd.swap", "io_walk_cmd_payload_swap", "io_walk_cmd_valid")
ANSWER = value("walk.rsp", "io_walk_rsp_payload_data", "io_walk_rsp_valid")
LEAF = bit("leaf", "walker_1.io_walk_leaf_valid")
INSTALL = bit("install", "data.tlb.io_install_valid")


async def installed(bench: MmuDriver, space: AddressSpace) -> None:
    for va in PAGES:
        await bench.translate(va)


def stream(*accesses: tuple[int, int]) -> Act:
    """Announces each access in the cycle before it is new and while it waits, and holds it until it
    is answered."""

    async def play(bench: MmuDriver, space: AddressSpace) -> None:
        dut, waiting, held, waits = bench.dut, list(accesses), None, False
        while held or waiting:
            announced = held if waits else waiting[0] if waiting else None
            dut.io_data_ahead_valid.value = int(announced is not None)
            dut.io_data_cmd_valid.value = int(held is not None)
            if announced:
                dut.io_data_ahead_payload.value = announced[0]
            if held:
                dut.io_data_cmd_payload_va.value, dut.io_data_cmd_payload_access.value = held
            await FallingEdge(dut.clk)
            fires = held is None or int(dut.io_data_cmd_ready.value)
            await RisingEdge(dut.clk)
            if fires:
                held = waiting.pop(0) if waiting and not waits else None
            waits = not fires
        dut.io_data_cmd_valid.value = dut.io_data_ahead_valid.value = 0

    return play


miss, neighbour = stream((0x5000, READ)), stream((0x6000, READ))


def without_access_flag(space: AddressSpace) -> int:
    return space.map(0x5000, PAGES[0x5000], bits=USER & ~AF)


async def update_switched_on(bench: MmuDriver, space: AddressSpace) -> None:
    bench.context(tcr=space.registers["tcr"] | HA)
    without_access_flag(space)


async def update_lost(bench: MmuDriver, space: AddressSpace) -> None:
    """Another agent sets the flag between the walk's read and its swap."""
    dut = bench.dut
    slot = without_access_flag(space)
    access = cocotb.start_soon(miss(bench, space))
    while not (int(dut.io_walk_cmd_valid.value) and int(dut.io_walk_cmd_payload_swap.value)):
        await FallingEdge(dut.clk)
    space.words[slot] |= AF
    await access


async def invalidated(bench: MmuDriver, space: AddressSpace) -> None:
    """An invalidation of the page comes while the walk waits for the leaf."""
    bench.walk.reads.clear()
    access = cocotb.start_soon(miss(bench, space))
    while not bench.walk.reads:
        await FallingEdge(bench.dut.clk)
    await RisingEdge(bench.dut.clk)
    await bench.invalidate(VA, 0x5)
    await access
    await bench.swept()


SCENARIOS = {
    "hit": Scenario(
        "Two hits, and a write that is not permitted",
        (AHEAD, COMMAND, MATCHES, READY, OUTPUT,
         bit("rsp.fault", "io_data_rsp_fault", ASKED, ANSWERED),
         value("rsp.status", "io_data_rsp_status", ASKED, ANSWERED, "io_data_rsp_fault")),
        stream((0x5000, READ), (0x6000, READ), (0x7000, WRITE)),
        installed,
    ),
    "miss": Scenario(
        "A miss of two levels, and the next access",
        (AHEAD, COMMAND, KNOWN, REQUEST, STATE, READ_COMMAND, ANSWER, LEAF, INSTALL, ANY, READY,
         OUTPUT),
        stream((0x5000, READ), (0x5008, READ)),
    ),
    "walk-cache": Scenario(
        "A miss whose last table is in the walk cache",
        (AHEAD, COMMAND, REQUEST, bit("tables.upcoming", "tables.io_tables_upcoming_valid"),
         bit("tables.look", "tables.io_tables_look"),
         bit("tables.found", "tables.io_tables_found_valid", "walker_1.io_events_cycle"),
         STATE, READ_COMMAND, ANSWER, LEAF, READY, OUTPUT),
        neighbour,
        miss,
    ),
    "update-won": Scenario(
        "The access flag is set by a compare-and-swap that wins",
        (COMMAND, STATE, READ_COMMAND, SWAP, ANSWER, LEAF, READY, OUTPUT),
        miss,
        update_switched_on,
    ),
    "update-lost": Scenario(
        "The compare-and-swap loses, and the walk starts again",
        (COMMAND, STATE, READ_COMMAND, SWAP, ANSWER, LEAF, READY, OUTPUT),
        update_lost,
        update_switched_on,
    ),
    "invalidation": Scenario(
        "An invalidation of the page that a walk is about",
        (COMMAND, REQUEST, STATE, bit("killed", "walker_1.killed", "walker_1.io_events_cycle"),
         READ_COMMAND, ANSWER, bit("dropped", "walker_1.io_walk_dropped"), LEAF, READY,
         bit("invalidate.cmd", "io_invalidate_cmd_valid"),
         value("sweep", "sweep.state_3_string"), bit("invalidate.done", "io_invalidate_done")),
        invalidated,
        neighbour,
    ),
}  # fmt: skip


async def world(bench: MmuDriver) -> AddressSpace:
    """Three pages, of which the last may only be read; an empty TLB and an empty walk cache."""
    space = AddressSpace(FOUR_KIB, TWO_LEVELS, asid=1, root=ROOT)
    for va, pa in PAGES.items():
        space.map(va, pa, bits=USER | (READ_ONLY if va == 0x7000 else 0))
    bench.memory.words = space.words
    bench.walk.latency = LATENCY
    bench.context(**space.registers)
    await bench.invalidate_all()
    return space


@cocotb.test()
async def record(dut):
    bench = await MmuDriver.start(dut)

    async def empty() -> tuple[MmuDriver, AddressSpace]:
        return bench, await world(bench)

    await rows.record(dut, SCENARIOS, empty)
