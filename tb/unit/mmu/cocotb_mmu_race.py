"""Invalidation while a walk is in flight: at every cycle offset, for every kind, granule and level
(scenarios a1 to a6, a9, a10; mutants B1, B2). unit/mmu/race.py plays what software does.
"""

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.geometry import geometry
from model.registers import HA
from model.tables import AF, NG, ap
from model.tlbi import Invalidation
from support.on import On
from unit.mmu.machine import GRANULES, LEAVES, Machine, span, vas
from unit.mmu.race import PA_NEW, PA_POISON, Move, operation, race, sweep

SWEPT = ["every_entry_while_it_is_swept", "every_entry_before_it_is_swept"]
UPDATES = ["no_update_after_completion"]
RUNS = [
    On("mmu:vmsa48_nocache"),
    # An invalidation is complete before its sweep; and there is a main TLB.
    On("mmu:vmsa48_main", tests=SWEPT + UPDATES),
    On("mmu:vmsa48_hashed", tests=UPDATES),  # the hashed table is there, and off
]

RESTARTS = ["walkRestart"]  # so many walks were caught in flight
OPS = [
    (tlbi.Kind.ALL, False),
    (tlbi.Kind.ASID, False),
    *((kind, last) for kind in list(tlbi.Kind)[2:] for last in (False, True)),
]


@bench_test(MmuBench, count=RESTARTS)
async def every_kind_at_every_offset(bench):
    """Scenarios a1, a2, a3: every kind of invalidation, at every cycle from well before the request
    until after the answer, for every granule, leaf level and memory latency; fetch and data."""
    for granule, level in LEAVES:
        for kind, last in OPS:
            for latency, which in ((3, Kind.READ), (1, Kind.EXECUTE)):
                va = vas(granule)[0] & -(1 << span(granule, level))
                access = Access(va, which)
                phases = await sweep(
                    bench,
                    lambda g=granule, v=va, lv=level, k=last: Move(Machine(g), v, lv, k),
                    lambda m, k=kind, v=va, g=granule, x=last: operation(k, x, v, g, 1),
                    access,
                    latency,
                )
                reads = level - geometry(granule, 16).start_level + 1
                wanted = {"answer", "after", "before the request"}
                for n in range(1, reads + 1):
                    wanted |= {f"read {n} asked", f"read {n} answered"}
                    if latency > 1:
                        wanted |= {f"read {n} waiting"}
                assert wanted <= phases, f"never reached: {sorted(wanted - phases)}"
    restarts = bench.events["walkRestart"]
    assert restarts > 500, f"only {restarts} walks were caught in flight: the race was not reached"


@bench_test(MmuBench, count=RESTARTS)
async def upper_half_and_deep_addresses(bench):
    """Scenarios a1 and B11: the same in the upper half, where the operand's sign counts."""
    for granule in GRANULES:
        va = vas(granule)[1]
        for kind, last in OPS:
            await sweep(
                bench,
                lambda g=granule, v=va, k=last: Move(Machine(g), v, 3, k),
                lambda m, k=kind, v=va, g=granule, x=last: operation(k, x, v, g, 1),
                Access(va, el=1),
                2,
            )
    assert bench.events["walkRestart"] > 100


@bench_test(MmuBench, count=RESTARTS)
async def every_entry_while_it_is_swept(bench):
    """Scenario a1 in its narrowest form: the walk installs into an entry just before, while and
    just after the invalidation looks at that entry; for the first, a middle and the last entry."""
    va, elsewhere = vas(12)
    for kind in (tlbi.Kind.VA, tlbi.Kind.VA_ALL_ASIDS, tlbi.Kind.RANGE):
        for resident in (0, 1, 8, 15):
            others = [elsewhere + (n << 12) for n in range(resident)]
            for latency in (1, 2, 5):
                bench.walk.latency = latency
                for offset in range(0, 14 + 3 * latency):
                    machine = Machine(12)
                    for n, other in enumerate(others):
                        machine.map(other, PA_POISON + (n << 12))
                    move = Move(machine, va, 3, False)
                    op = operation(kind, False, va, 12, 1)
                    await race(bench, move, op, Access(va), offset, others=others)
    assert bench.events["walkRestart"] > 100


@bench_test(MmuBench)
async def every_entry_before_it_is_swept(bench):
    """Scenario a1: the page is resident, in the first, a middle or the last entry, and is asked for
    at every cycle of the invalidation: never the old one after `done`."""
    va, elsewhere = vas(12)
    for kind in tlbi.Kind:
        for before in (0, 1, 8, 15):
            others = [elsewhere + (n << 12) for n in range(before)] + [va]
            for offset in range(-24, 3):
                machine = Machine(12)
                for n, other in enumerate(others[:-1]):
                    machine.map(other, PA_POISON + (n << 12))
                move = Move(machine, va, 3, False)
                await race(bench, move, operation(kind, False, va, 12, 1), Access(va), offset,
                           others=others)  # fmt: skip


@bench_test(MmuBench, count=RESTARTS)
async def slow_memory_ghost_response(bench):
    """Scenarios a4, a6 (ghost response): with a slow memory the answer to a read of the killed walk
    comes long after; it must not be taken for that of the walk that follows."""
    va = vas(12)[0]
    for kind, last in OPS:
        phases = await sweep(
            bench,
            lambda k=last: Move(Machine(12), va, 3, k),
            lambda m, k=kind, x=last: operation(k, x, va, 12, 1),
            Access(va),
            20,
        )
        assert "read 4 waiting" in phases
    assert bench.events["walkRestart"] > 100


@bench_test(MmuBench, count=RESTARTS)
async def invalid_entry_that_becomes_valid_under_the_walk(bench):
    """Scenario a2 with g29: the page is mapped and then the invalidation sent, while the walk that
    would have faulted is under way. After completion the fault must not come."""
    va = vas(12)[0]
    access = Access(va)
    late_faults = early_faults = 0
    for latency in (1, 4):
        bench.walk.latency = latency
        for offset in range(0, 60):
            machine = Machine(12)
            slot = machine.map(va, PA_NEW)
            good, machine.memory.words[slot] = machine.memory.words[slot], 0
            bench.use(machine)
            await bench.invalidate_all()
            side = bench.request(access)
            for now in range(600):
                if now == offset:
                    machine.memory.words[slot] = good
                    op = Invalidation(tlbi.Kind.VA, tlbi.va_operand(va, 1))
                    bench.inv.request(op, bench.cycle)
                await bench.step()
                if now >= offset and not side.busy and not bench.inv.busy:
                    break
            if side.answer.fault:
                early_faults += 1
                late_faults += side.answer.fired > bench.inv.done
            await bench.check(access, f"offset {offset}")
    assert early_faults > 0, "the fault was never on its way: the race was not reached"
    assert late_faults == 0, f"{late_faults} faults from before the invalidation came after it"


@bench_test(MmuBench, count=RESTARTS)
async def bus_error_under_invalidation(bench):
    """Scenario e25 (error and fence): the answer of a killed walk is a bus error; nothing is left
    of it once the invalidation is complete."""
    va = vas(12)[0]
    access = Access(va)
    seen_errors = 0
    for offset in range(0, 50):
        machine = Machine(12)
        slot = machine.map(va, PA_NEW)
        bench.use_memory(machine.memory)
        machine.memory.errors = {slot}
        bench.walk.latency = 3
        bench.context(machine.registers)
        await bench.invalidate_all()
        await bench.swept()
        side = bench.request(access)
        for now in range(600):
            if now == offset:
                machine.memory.errors = set()
                bench.inv.request(operation(tlbi.Kind.VA, False, va, 12, 1), bench.cycle)
            await bench.step()
            if now >= offset and not side.busy and not bench.inv.busy:
                break
        if side.answer.fault:
            seen_errors += 1
            assert side.answer.status == 0x17, side.answer
            assert side.answer.fired <= bench.inv.done, f"offset {offset}: late {side.answer}"
        await bench.check(access, f"offset {offset}")
    assert seen_errors > 0 and bench.events["walkRestart"] > 5


@bench_test(MmuBench, count=RESTARTS)
async def many_kills_of_one_walk(bench):
    """Scenario a10: one access whose walk is killed again and again (more than any counter of
    aborted answers would hold); it ends as soon as the invalidations stop."""
    machine = Machine(12)
    va = vas(12)[0]
    machine.map(va, PA_NEW)
    bench.use(machine)
    bench.walk.latency = 30
    side = bench.request(Access(va))
    for _ in range(20):
        await bench.invalidate(operation(tlbi.Kind.VA, False, va, 12, 1))
    assert side.busy, "the storm was over too early to mean anything"
    bench.walk.latency = 1
    await bench.until(lambda: not side.busy, "the access after the storm")
    assert not side.answer.fault and side.answer.pa == bench.golden(Access(va)).pa
    assert bench.events["walkRestart"] > 4


@bench_test(MmuBench, count=["walk", "walkRestart"])
async def invalidation_of_something_else_keeps_the_walk(bench):
    """Scenario a9: an invalidation of another ASID or address neither breaks the walk nor hangs. Of
    another ASID as a whole, or of the other half, it does not even stop it."""
    low, high = vas(12)
    va = low
    others = [
        (Invalidation(tlbi.Kind.ASID, tlbi.va_operand(0, 9)), False),
        (Invalidation(tlbi.Kind.VA, tlbi.va_operand(high, 1)), False),
        (Invalidation(tlbi.Kind.RANGE, tlbi.range_operand(high, 12, 0, 0, asid=1)), False),
        (Invalidation(tlbi.Kind.VA, tlbi.va_operand(va, 9)), True),
        (Invalidation(tlbi.Kind.RANGE, tlbi.range_operand(va + (1 << 30), 12, 0, 0, asid=1)), True),
    ]
    for op, may_stop in others:
        bench.clear_events()
        for offset in range(0, 24):
            machine = Machine(12)
            machine.map(va, PA_NEW)
            bench.use(machine)
            await bench.invalidate_all()
            side = bench.request(Access(va))
            await bench.step(offset)
            await bench.invalidate(op)
            await bench.until(lambda s=side: not s.busy, "the access")
            assert not side.answer.fault and side.answer.pa == PA_NEW, f"{op} {offset}"
            await bench.check(Access(va), "again")
        assert bench.events["walk"] >= 24
        assert may_stop or not bench.events["walkRestart"], f"{op} stopped a walk"


@bench_test(MmuBench, count=RESTARTS)
async def asid_invalidation_and_a_global_walk(bench):
    """Scenario a9 (gem5 #3425): an invalidation by ASID keeps global entries, yet a walk that
    already holds a table entry of that ASID may not go on with it."""
    va = vas(12)[0]
    for kind, latency in ((tlbi.Kind.VA, 2), (tlbi.Kind.ASID, 2), (tlbi.Kind.ASID, 30)):
        await sweep(
            bench,
            lambda: Move(Machine(12), va, 3, False, AF | ap(1)),
            lambda m, k=kind: operation(k, False, va, 12, 1),
            Access(va),
            latency,
            stays=kind is tlbi.Kind.ASID,
        )
    kept = 0
    for offset in range(0, 40):
        machine = Machine(12)
        machine.map(va, PA_NEW, bits=AF | ap(1))
        bench.use(machine)
        await bench.invalidate_all()
        side = bench.request(Access(va))
        await bench.step(offset)
        await bench.invalidate(operation(tlbi.Kind.ASID, False, va, 12, 1))
        await bench.until(lambda s=side: not s.busy, "the access")
        assert side.answer.pa == PA_NEW
        kept += (await bench.check(Access(va), "global")).cycles == 0
    assert kept > 0, "a global entry never survived an invalidation by ASID"


@bench_test(MmuBench, count=RESTARTS)
async def no_update_after_completion(bench):
    """An invalidation at every moment of a walk that sets the access flag, with a compare-and-swap
    that is taken late and takes long: the old table belongs to somebody else as soon as the
    invalidation is complete, and does not change any more. A slow read holds nothing back."""
    memory_port = bench.walk
    memory_port.late = True
    memory_port.latency = lambda: 60 if memory_port.open.swap else 1
    taken = {"at": 0}

    def ready() -> bool:
        if bench.dut.io_walk_cmd_valid.value and bench.dut.io_walk_cmd_payload_swap.value:
            taken["at"] += 1
            return taken["at"] > 6
        return True

    memory_port.ready = ready
    va = vas(12)[0]
    held_back = updated = untouched = 0
    for kind in tlbi.Kind:
        for offset in range(0, 36 if kind is not tlbi.Kind.VA else 110):
            move = Move(Machine(12, flags=HA), va, 3, False, NG | ap(1))
            bench.use_memory(move.machine.memory)
            bench.context(move.machine.registers)
            await bench.invalidate_all()
            memory_port.swaps.clear()
            taken["at"] = 0
            side = bench.request(Access(va))
            await bench.step(offset)
            move.change()
            bench.inv.request(operation(kind, False, va, 12, 1), bench.cycle)
            await bench.until(lambda: not bench.inv.busy, "invalidation")
            old = move.machine.memory.words[move.leaf]
            await bench.until(lambda s=side: not s.busy, "translation")
            await bench.step(70)
            assert move.machine.memory.words[move.leaf] == old, f"{kind.name} at {offset}"
            held_back += bench.inv.cycles > 40
            updated += bool(old & AF)
            untouched += not old & AF
    assert held_back > 20 and updated > 20 and untouched > 20, (held_back, updated, untouched)
