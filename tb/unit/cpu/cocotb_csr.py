"""Control and status registers alone: what can be written, by whom, and what traps do to them
(privileged ISA 1.12, chapters 3 and 4)."""

import random
from itertools import product

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from model.pmp import ADDRESS, CONFIG
from support.on import On
from support.parts import Pins, settle

RUNS = [On("simsoc:teaching", part="Csr")]

WRITE, SET, CLEAR = 1, 2, 3
USER, SUPERVISOR, MACHINE = 0, 1, 3
M32 = 0xFFFF_FFFF
MSTATUS, MEDELEG, MIDELEG, MIE, MTVEC, MCOUNTEREN = 0x300, 0x302, 0x303, 0x304, 0x305, 0x306
MISA, MENVCFG, MEPC, MCAUSE, MTVAL, MIP = 0x301, 0x30A, 0x341, 0x342, 0x343, 0x344
STVEC, SCOUNTEREN, SENVCFG, SEPC, SCAUSE, STVAL, SATP = (
    0x105, 0x106, 0x10A, 0x141, 0x142, 0x143, 0x180,
)  # fmt: skip
SSTATUS, SIE, SIP = 0x100, 0x104, 0x144
DELEGABLE = 0xB3FF  # exceptions 0 to 9, 12, 13 and 15
INTERRUPTS = 0xAAA
PRIORITY = (11, 3, 7, 9, 1, 5)
EVENTS = range(0x323, 0x340)  # each counter has one, and 18 to 28 a second, which bit 5 chooses
# Bits that a write changes.
PLAIN = {
    0x340: M32, 0x140: M32, MEPC: M32 ^ 3, SEPC: M32 ^ 3, MTVEC: M32 ^ 2, STVEC: M32 ^ 2,
    MCAUSE: 0x8000_000F, SCAUSE: 0x8000_000F, MTVAL: M32, STVAL: M32, MEDELEG: DELEGABLE,
    MIDELEG: 0x222, MIE: INTERRUPTS, MCOUNTEREN: M32, SCOUNTEREN: M32, 0x320: M32 ^ 2,
    MENVCFG: 0x70, SENVCFG: 0x70, SATP: M32, MSTATUS: 0x7E_19AA, MIP: 0x222,
    # No upper half of mstatus and menvcfg has anything, and there are no triggers.
    **dict.fromkeys((MISA, 0x310, 0x31A, 0x7A0, 0x7A1, 0x7A2), 0),
    **{event: (0x332 <= event <= 0x33C) << 5 for event in EVENTS},
}  # fmt: skip
# S-mode's cbo.inval flushes, and it may clean; U-mode may nothing.
RESET = {MENVCFG: 0x50, MISA: 0x4014_1101} | {event: event - 0x322 for event in EVENTS}
READ_ONLY = range(0xF11, 0xF16)
VIEWS = (SSTATUS, SIE, SIP)
MACHINE_COUNTERS = {*range(0xB00, 0xB20), *range(0xB80, 0xBA0)} - {0xB01, 0xB81}
USER_COUNTERS = {*range(0xC00, 0xC20), *range(0xC80, 0xCA0)}
PMP = {*range(CONFIG, CONFIG + 4), *range(ADDRESS, ADDRESS + 16)}  # see cocotb_pmp_registers
EXISTS = {*PLAIN, *READ_ONLY, *VIEWS, *MACHINE_COUNTERS, *USER_COUNTERS, *PMP}


class Status:
    """Fields of mstatus."""

    SIE, MIE, SPIE, MPIE, SPP, MPP = 1 << 1, 1 << 3, 1 << 5, 1 << 7, 1 << 8, 3 << 11
    MPRV, TVM = 1 << 17, 1 << 20


# What a trap to M-mode (0) or S-mode (1) changes: enable, enable before, mode before.
STACKS = ((Status.MIE, Status.MPIE, Status.MPP), (Status.SIE, Status.SPIE, Status.SPP))


class Csr(Pins):
    async def access(self, address, kind=SET, source=0, *, register=None, execute=True):
        """What was read, or None if it is illegal. Set and clear of `register` 0 do not write."""
        register = (kind == WRITE or source != 0) if register is None else register
        self.put(access_instruction=address << 20 | int(register) << 15 | kind << 12,
                 access_source=source)  # fmt: skip
        await FallingEdge(self.dut.clk)
        self.put(execute=execute)
        await settle()
        illegal, data = self.get("illegal"), self.get("readData")
        await FallingEdge(self.dut.clk)
        self.put(execute=0)
        return None if illegal else data

    async def write(self, address, value) -> None:
        assert await self.access(address, WRITE, value) is not None

    async def pulse(self, **values) -> None:
        self.put(**values)
        await FallingEdge(self.dut.clk)
        self.put(**dict.fromkeys(values, 0))

    async def trap(self, cause: int, pc=0x1230, tval=0, *, interrupt=0) -> int:
        """Takes it; the address of the handler."""
        self.put(trap_payload_interrupt=interrupt, trap_payload_cause=cause, trap_payload_pc=pc,
                 trap_payload_tval=tval, trap_valid=1)  # fmt: skip
        await settle()
        vector = self.get("state_trapVector")
        await FallingEdge(self.dut.clk)
        self.put(trap_valid=0)
        return vector

    async def enter(self, mode: int) -> None:
        """From M-mode."""
        await self.access(MSTATUS, CLEAR, Status.MPP)
        await self.access(MSTATUS, SET, mode << 11)
        await self.pulse(mret=1)
        assert self.get("state_mode") == mode

    async def to_machine(self) -> None:
        """Nothing is delegated."""
        await self.trap(2)
        assert self.get("state_mode") == MACHINE


def view(address: int, held: dict[int, int]) -> tuple[int, int, int]:
    """The register that it is a part of, and the bits that are seen and written."""
    delegated = held[MIDELEG]
    views = {SSTATUS: (MSTATUS, 0xC_0122, 0xC_0122), SIE: (MIE, delegated, delegated),
             SIP: (MIP, delegated, delegated & 2)}  # fmt: skip
    return views.get(address) or (address, M32, PLAIN[address])


@bench_test(Csr)
async def every_register_is_its_own(csr):
    """Write, set and clear change the bits that exist, and no other register."""
    draw = random.Random(2)
    every = (*PLAIN, *VIEWS)
    held = {address: RESET.get(address, 0) for address in PLAIN}
    for n in range(1200):
        address, kind = draw.choice(every), draw.choice((WRITE, SET, CLEAR))
        source, acts = draw.getrandbits(32), draw.random() < 0.9
        register, seen, mask = view(address, held)
        old = held[register] & seen
        assert await csr.access(address, kind, source, execute=acts) == old
        new = {WRITE: source, SET: old | source, CLEAR: old & ~source}[kind]
        if address in (MENVCFG, SENVCFG) and new >> 4 & 3 == 2:
            mask &= ~0x30  # a reserved CBIE: the field stays
        if address == MSTATUS and new >> 11 & 3 == 2:
            mask &= ~Status.MPP  # a mode that does not exist
        if acts:
            held[register] = held[register] & ~mask | new & mask
        if n % 40 == 0:
            for other in every:
                register, seen, _ = view(other, held)
                assert await csr.access(other) == held[register] & seen, hex(other)
    for address in READ_ONLY:
        assert await csr.access(address) == 0


@bench_test(Csr)
async def who_may_access_what(csr):
    """Every address in every mode, read and written: it exists, the mode is high enough, it can be
    written (a register that holds 0 is written too). Counters are closed to lower modes."""
    for mode in (MACHINE, SUPERVISOR, USER):
        if mode != MACHINE:
            await csr.enter(mode)
        for address in range(0x1000):
            for writes in (False, True):
                got = await csr.access(address, SET, register=writes, execute=False)
                legal = address in EXISTS and address >> 8 & 3 <= mode
                legal &= not (writes and address >> 10 == 3)
                legal &= mode == MACHINE or address not in USER_COUNTERS
                assert (got is not None) == legal, (hex(address), mode, writes)
        if mode != MACHINE:
            await csr.to_machine()


@bench_test(Csr)
async def counters_are_opened_one_by_one(csr):
    csr.put(mtime=0x1111_2222_3333_4444, counters_value=0x5555_6666_7777_8888)
    for index in (0, 1, 2, 3, 31):
        for machine in (0, 1):
            for supervisor in (0, 1):
                await csr.write(MCOUNTEREN, machine << index)
                await csr.write(SCOUNTEREN, supervisor << index)
                for mode in (SUPERVISOR, USER):
                    await csr.enter(mode)
                    low, high = 0x7777_8888, 0x5555_6666
                    if index == 1:
                        low, high = 0x3333_4444, 0x1111_2222
                    allowed = machine and (mode == SUPERVISOR or supervisor)
                    for address, value in ((0xC00, low), (0xC80, high)):
                        got = await csr.access(address + index)
                        assert got == (value if allowed else None), (index, mode)
                    await csr.to_machine()


def field(status: int, mask: int) -> int:
    return (status & mask) // (mask & -mask)


def put(status: int, mask: int, value: int) -> int:
    return status & ~mask | value * (mask & -mask)


def trapped(status: int, mode: int, *, down: bool) -> int:
    """mstatus after a trap from `mode`, to S-mode if `down`."""
    enable, before, previous = STACKS[down]
    status = put(status, before, field(status, enable))
    return put(put(status, enable, 0), previous, mode)


def returned(status: int, *, down: bool) -> int:
    """mstatus after mret, or sret if `down`."""
    enable, before, previous = STACKS[down]
    if field(status, previous) != MACHINE:
        status &= ~Status.MPRV
    status = put(status, enable, field(status, before))
    return put(put(status, before, 1), previous, USER)


@bench_test(Csr)
async def traps_save_and_returns_restore(csr):
    """To M-mode, or to S-mode if delegated and not from M-mode; interrupts at their vector. All of
    mstatus is as it should be after the trap and after the return."""
    draw = random.Random(5)
    await csr.write(MTVEC, 0x1_0001)
    await csr.write(STVEC, 0x2_0001)
    causes = (*((0, n) for n in (0, 1, 2, 3, 4, 6, 8, 9, 11, 12, 13, 15)), (1, 5), (1, 7), (1, 9))
    modes = (USER, SUPERVISOR, MACHINE)
    stacked = sum(bit for stack in STACKS for bit in stack) & ~Status.MPP
    for mode, (interrupt, cause), delegated in product(modes, causes, (False, True)):
        await csr.write(MEDELEG, DELEGABLE * delegated)
        await csr.write(MIDELEG, 0x222 * delegated)
        status = draw.getrandbits(32) & (stacked | Status.MPRV)
        await csr.write(MSTATUS, status)
        if mode != MACHINE:
            await csr.enter(mode)
            status = returned(put(status, Status.MPP, mode), down=False)
        pc, tval = draw.getrandbits(30) << 2, draw.getrandbits(32)
        vector = await csr.trap(cause, pc, tval, interrupt=interrupt)
        mask = 0x222 if interrupt else DELEGABLE
        down = bool(delegated and mode != MACHINE and mask >> cause & 1)
        status = trapped(status, mode, down=down)
        base = 0x2_0000 if down else 0x1_0000
        assert vector == base + 4 * cause * interrupt
        assert csr.get("state_mode") == (SUPERVISOR if down else MACHINE)
        assert csr.get("state_sepc" if down else "state_mepc") == pc
        visible = await csr.access(SSTATUS if down else MSTATUS)
        assert visible == status & (sum(STACKS[1]) if down else M32)
        got = [await csr.access(a) for a in ((SCAUSE, STVAL) if down else (MCAUSE, MTVAL))]
        assert got == [interrupt << 31 | cause, tval]
        await csr.pulse(**{"sret" if down else "mret": 1})
        status = returned(status, down=down)
        assert csr.get("state_mode") == mode
        if mode != MACHINE:  # who cannot read mstatus
            await csr.trap(11)  # of no class that is delegated
            status = trapped(status, mode, down=False)
        assert csr.get("state_mode") == MACHINE
        assert await csr.access(MSTATUS) == status, f"mode {mode}, cause {cause}, down {down}"


def taken(enabled: int, delegated: int, mode: int, mie: int, sie: int) -> int | None:
    """Which interrupt, all being pending. Those of M-mode go first."""
    to_machine = enabled & ~delegated if mode < MACHINE or mie else 0
    to_supervisor = enabled & delegated if mode < SUPERVISOR + sie else 0
    candidates = to_machine or to_supervisor
    return next((n for n in PRIORITY if candidates >> n & 1), None)


@bench_test(Csr)
async def interrupts_by_priority_and_mode(csr):
    """All are pending. In every mode, whatever is delegated, the first of those that are enabled
    and may interrupt that mode; wfi ends with any."""
    draw = random.Random(6)
    csr.put(timer=1, software=1, machineExternal=1, supervisorExternal=1)
    await csr.write(MIP, 0x222)
    for _ in range(3):
        await FallingEdge(csr.dut.clk)
    assert await csr.access(MIP) == INTERRUPTS
    downward = [sum(1 << n for n in PRIORITY[first:]) for first in range(len(PRIORITY) + 1)]
    modes, seen = (MACHINE, SUPERVISOR, USER), set()
    for mode, mie, sie in product(modes, (0, 1), (0, 1)):
        for delegated in (0, 0x222, 0x200, 0x022):
            for enabled in (*downward, draw.getrandbits(12) & INTERRUPTS):
                await csr.write(MIDELEG, delegated)
                await csr.write(MIE, enabled)
                await csr.write(MSTATUS, mie * (Status.MIE | Status.MPIE) | sie * Status.SIE)
                if mode != MACHINE:
                    await csr.enter(mode)
                got = csr.get("state_interrupt_payload")
                got = got if csr.get("state_interrupt_valid") else None
                wanted = taken(enabled, delegated, mode, mie, sie)
                assert got == wanted, (mode, mie, sie, hex(delegated), hex(enabled))
                assert csr.get("state_wakeUp") == bool(enabled)
                seen.add((mode, wanted))
                if mode == SUPERVISOR:
                    assert await csr.access(SIP) == INTERRUPTS & delegated
                    assert await csr.access(SIE) == enabled & delegated
                if mode != MACHINE:
                    await csr.to_machine()
    # M-mode is never interrupted by what it gave away.
    assert seen >= set(product((SUPERVISOR, USER), (*PRIORITY, None)))


@bench_test(Csr)
async def cache_block_controls(csr):
    """cbo.inval of lower modes: illegal, a flush or an invalidation, as both registers say."""
    for machine in (0, 1, 3):
        for supervisor in (0, 1, 3):
            for clean in range(4):
                await csr.write(MENVCFG, machine << 4 | (clean & 1) << 6)
                await csr.write(SENVCFG, supervisor << 4 | (clean >> 1) << 6)
                for mode in (MACHINE, SUPERVISOR, USER):
                    if mode != MACHINE:
                        await csr.enter(mode)
                    who = [machine, supervisor][: {MACHINE: 0, SUPERVISOR: 1, USER: 2}[mode]]
                    cleans = [clean & 1, clean >> 1][: len(who)]
                    assert csr.get("state_cboInvalidLegal") == all(who)
                    if all(who):
                        assert csr.get("state_cboInvalidFlush") == any(v == 1 for v in who)
                    assert csr.get("state_cboCleanLegal") == all(cleans)
                    if mode != MACHINE:
                        await csr.to_machine()
