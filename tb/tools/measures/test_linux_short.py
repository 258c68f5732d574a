"""What fits into `make linux-test` of `make linux-documents`: document 002 on the machine whose
lines move, and a sweep of kmap()'s slots, in the patched kernel with high memory."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tools.measures import linux
from tools.measures.linux_boots import LOWMEM, SLOTS, Boot, console

MACHINE = next(machine for machine in linux.MACHINES if machine.moves)
# Each page that is read takes a slot, until there is none.
SWEEP = (
    "echo kmap > /proc/pkmap && "
    f"dd if=/dev/zero of=/tmp/file bs=4096 count={SLOTS + 76} 2> /dev/null && "
    "dd if=/tmp/file of=/dev/null bs=4096 2> /dev/null && cat /proc/pkmap"
)


def booted(kernel: str, command: str) -> str:
    words = f"{LOWMEM} {linux.WORDS[kernel]}".strip()
    return console(MACHINE.name, Boot(kernel, "short", command, words))


@pytest.mark.slow
@pytest.mark.xdist_group("short")
def test_coloured_zero_pages_miss_less_and_a_sweep_gives_back_all_slots_but_a_few():
    commands = {k: linux.COMMAND.format(kernel=k) for k in (linux.COLOURED, linux.ONE)}
    commands[linux.COLOURED] += f"; {SWEEP}"
    with ThreadPoolExecutor() as pool:
        consoles = dict(zip(commands, pool.map(booted, commands, commands.values()), strict=True))
    coloured, found = consoles[linux.COLOURED], {}
    for kernel, said in consoles.items():
        rows = linux.rows(said, MACHINE.name, kernel)
        found |= {(row.machine, row.kernel, row.loop): row for row in rows}
    assert linux.wrong(found) == []
    counts = {name: int(n) for name, n in re.findall(r"^(\w+) (\d+)\r*$", coloured, re.M)}
    assert counts["sweeps"] == 1
    assert SLOTS - 8 <= counts["pages"] <= SLOTS
    assert counts["page"] < counts["range"]
