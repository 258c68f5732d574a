"""Cycles of each kind of instruction when nothing stalls, as a table in build/results/cpu.json."""

from collections import Counter

from drivers.started import bench_test
from support import results
from support.on import On
from unit.cpu import encode as e
from unit.cpu.bench import BASE, Bench
from unit.cpu.random_program import DATA, TOHOST

RUNS = [On("cpubench:teaching")]

REPEAT, EDGE = 64, 8
# Name, one round of the pattern, cycles that a round takes, what it shows, and why the cycles in
# which nothing retires are lost.
PATTERNS = [
    ("alu", [e.addi(5, 6, 1)], 1, "independent ALU instructions", None),
    ("alu chain", [e.addi(5, 5, 1)], 1, "each one uses the result of the one before", None),
    ("load", [e.load(2, 5, 2, 4)], 1, "independent loads", None),
    ("store", [e.store(2, 6, 2, 4)], 1, "stores", None),
    ("load, store", [e.load(2, 5, 2, 4), e.store(2, 6, 2, 8)], 2, "in turns", None),
    ("load, use", [e.load(2, 5, 2, 4), e.addi(6, 5, 1)], 4, "two bubbles", "hazard"),
    ("load, other, use", [e.load(2, 5, 2, 4), e.NOP, e.addi(6, 5, 1)], 4, "one bubble", "hazard"),
    ("load, store of it", [e.load(2, 5, 2, 4), e.store(2, 5, 2, 8)], 4, "two bubbles", "hazard"),
    ("amo", [e.atomic(0, 5, 2, 6)], 1, "independent atomics", None),
    ("lr, sc", [e.atomic(e.LR, 5, 2, 0), e.atomic(e.SC, 7, 2, 6)], 2, "a pair", None),
    ("mul", [e.alu(0, 5, 6, 7, 1)], 1, "independent products", None),
    ("mul, use", [e.alu(0, 5, 6, 7, 1), e.addi(8, 5, 1)], 4, "two bubbles", "hazard"),
    ("div", [e.alu(4, 5, 6, 7, 1)], 17, "32 quotient bits, two a cycle, and one", "divide"),
    ("branch not taken", [e.branch(1, 0, 0, 8)], 1, "falls through", None),
    ("branch taken", [e.branch(0, 0, 0, 8), e.NOP], 4, "three bubbles", "branch"),
    (
        "branch taken backwards",
        [e.jal(0, 8), e.jal(0, 8), e.branch(0, 0, 0, -4)],
        9,
        "two bubbles, and so have both jumps",
        "branch",
    ),
    ("branch not taken backwards", [e.branch(1, 0, 0, -8)], 4, "three bubbles", "branch"),
    ("jal", [e.jal(1, 8), e.NOP], 3, "two bubbles", "branch"),
    ("jalr", [e.auipc(5, 0), e.jalr(1, 5, 12), e.NOP], 5, "auipc and three bubbles", "branch"),
    ("csr", [e.csr(1, 5, e.MSCRATCH, 6)], 5, "alone in the pipeline", "system"),
    (
        "csr, alu",
        [e.csr(1, 5, e.MSCRATCH, 6), e.addi(6, 5, 1)],
        7,
        "waits for write-back",
        "system",
    ),
]

# Loops that count x5 down: name, what is between `top` and the branch back to it, and cycles of a
# round that are lost when fetch has learned it.
LOOPS = [
    ("of one instruction", [], 0),
    ("of three", [e.addi(6, 6, 1), e.NOP], 0),
    ("with a call", [e.jal(1, 8), e.jal(0, 20), *[e.NOP] * 3, e.jalr(0, 1, 0)], 0),
    ("with a call of few instructions", [e.jal(1, 8), e.jal(0, 8), e.jalr(0, 1, 0)], 7),
    ("with a branch that is taken", [e.branch(0, 0, 0, 8), e.NOP], 0),
    ("with a branch that is not taken", [e.branch(1, 0, 0, 8), e.NOP], 0),
    ("with one taken in turns", [e.alu_imm(4, 6, 6, 1), e.branch(0, 6, 0, 8), e.NOP], 4),
]


@bench_test(Bench)
async def a_learned_loop_loses_no_cycle(bench):
    """A branch that goes one way and the other loses three cycles a time, as its guess is always
    what it did last. Where a redirect goes nothing is guessed, so what jumps there loses two."""
    wrong = []
    for name, body, lost in LOOPS:
        loop = [e.addi(5, 5, -1), *body]
        loop.append(e.branch(1, 5, 0, -4 * len(loop)))
        head = [e.addi(6, 0, 0), e.addi(5, 0, REPEAT), *[e.NOP] * 6]
        tail = [*e.li(30, TOHOST), e.addi(29, 0, 1), e.store(2, 29, 30, 0)]
        await bench.load([*head, *loop, *tail])
        retired = await bench.trace(stalls=False)
        top = BASE + 4 * len(head)
        starts = [n for n, r in enumerate(retired) if r.pc == top]
        assert len(starts) == REPEAT
        first, last = starts[EDGE], starts[REPEAT - EDGE]
        rounds = REPEAT - 2 * EDGE
        cycles = retired[last].cycle - retired[first].cycle
        expected = last - first + lost * rounds
        bench.dut._log.info(f"{name:40} {cycles / rounds:6.2f} cycles a round")
        if cycles != expected:
            wrong.append(f"{name}: {cycles / rounds} cycles a round, expected {expected / rounds}")
    assert not wrong, "; ".join(wrong)


PMPADDR0 = 0x3B0
# What may stand behind a loop, and whether the loop is learned afterwards.
BEHIND = [
    ("nothing", e.NOP, True),
    ("a CSR", e.csr(1, 0, e.MSCRATCH, 6), True),
    ("fence.i", 0x0000100F, False),
    ("sfence.vma", 0x12000073, False),
    ("a write of PMP's entries", e.csr(1, 0, PMPADDR0, 0), False),
]


async def measure(bench: Bench, pattern: list[int]) -> tuple[float, int, Counter]:
    """Cycles and instructions retired per round, and cycles by reason."""
    head = [*e.li(2, DATA), e.addi(6, 0, 3), e.addi(7, 0, 5), *[e.NOP] * 6]
    tail = [*e.li(30, TOHOST), e.addi(29, 0, 1), e.store(2, 29, 30, 0)]
    await bench.load([*head, *pattern * REPEAT, *tail])
    retired = await bench.trace(stalls=False)
    cycle = {r.pc: r.cycle for r in retired}
    # The first and last rounds are left out: what is around them does not repeat.
    start, end = (BASE + 4 * (len(head) + len(pattern) * n) for n in (EDGE, REPEAT - EDGE))
    rounds = REPEAT - 2 * EDGE
    count = sum(start <= pc < end for pc in cycle)
    lost = Counter(bench.stalls[cycle[start] : cycle[end]])
    stalls = Counter({reason: n / rounds for reason, n in lost.items()})
    return (cycle[end] - cycle[start]) / rounds, count // rounds, stalls


@bench_test(Bench)
async def cycles_of_each_kind(bench):
    """A bubble too many: a bypass, the fetch queue or a ready that does not keep up."""
    figures, wrong = [], []
    for name, pattern, expected, note, reason in PATTERNS:
        cycles, instructions, stalls = await measure(bench, pattern)
        cpi = cycles / instructions
        bench.dut._log.info(f"{name:18} {cycles:6.2f} cycles, CPI {cpi:5.2f}  {note}")
        figures.append(
            {
                "pattern": name,
                "cycles": cycles,
                "instructions": instructions,
                "cpi": round(cpi, 3),
                "note": note,
            }
        )
        if cycles != expected:
            wrong.append(f"{name}: {cycles} cycles, expected {expected}")
        if stalls != Counter({"none": instructions, reason: expected - instructions}):
            wrong.append(f"{name}: lost to {stalls}, expected {reason}")
    results.write("cpu", "teaching", figures, command="pytest tb/unit/cpu/cocotb_timing.py")
    assert not wrong, "; ".join(wrong)


@bench_test(Bench)
async def nothing_is_guessed_across_a_fence(bench):
    """A guess survives the instruction after which fetch must ask again: the first branch back of
    a loop that is run again loses two cycles, or none."""
    wrong = []
    for name, instruction, learned in BEHIND:
        inner = [e.addi(5, 5, -1), e.branch(1, 5, 0, -4)]
        outer = [e.addi(5, 0, REPEAT), *[e.NOP] * 6, *inner, instruction, e.addi(6, 6, -1)]
        outer.append(e.branch(1, 6, 0, -4 * len(outer)))
        tail = [*e.li(30, TOHOST), e.addi(29, 0, 1), e.store(2, 29, 30, 0)]
        await bench.load([e.addi(6, 0, 2), *outer, *tail])
        top = BASE + 4 * (1 + outer.index(inner[0]))
        starts = [r.cycle for r in await bench.trace(stalls=False) if r.pc == top]
        assert len(starts) == 2 * REPEAT
        cycles = starts[REPEAT + 1] - starts[REPEAT]
        if cycles != (2 if learned else 4):
            wrong.append(f"behind {name}: the first round takes {cycles} cycles")
    assert not wrong, "; ".join(wrong)
