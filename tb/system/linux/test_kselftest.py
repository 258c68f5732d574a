"""Linux's own self-tests (tools/testing/selftests), on a kernel that checks its page tables at boot
and its memory management as it runs (sw/linux/debug.config)."""

import pytest

from sim.simulator import simulator
from support.run import built
from system.linux import guest
from system.linux.test_boot import MACHINES

PGTABLE = "debug_vm_pgtable: [debug_vm_pgtable         ]: Validating"
# The brackets keep the patterns from finding themselves: the kernel prints its command line, too.
COMMAND = "kselftest; dmesg | grep -e 'pgtabl[e]: ' -e 'WARNIN[G]' -e 'BU[G]' -e 'Oop[s]'; echo end"
# musl has no brk and no sbrk, and asks for children by waitid, which names another error; the
# kernel has no network, whose files two checks look for.
NOT_HERE = "sbrk brk chmod_net link_cross waitpid_min"
FOUND = [
    "kselftest map_fixed_noreplace: status 0, passed 0, failed:",
    "kselftest mremap_dontunmap: status 0, passed 0, failed:",
    f"kselftest nolibc-test: status 1, passed 66, failed: {NOT_HERE}",
]


def judge(run: guest.Run) -> None:
    run.passed()
    assert [line for line in run.console if line.startswith("kselftest")] == FOUND
    after = run.console[run.console.index(FOUND[-1]) + 1 : run.console.index("end")]
    assert len(after) == 1 and PGTABLE in after[0], "\n".join(run.console)


@pytest.mark.slow
def test_on_qemu():
    kernel = built("build/linux-debug/Image")
    initrd = built("build/linux/kselftest.cpio")
    built("build/linux/virt.elf")
    judge(guest.run(guest.qemu(COMMAND, kernel, initrd)))


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_on_granule(machine: str):
    image = built("build/linux-debug/boot.elf")
    judge(guest.run(guest.granule(COMMAND, simulator(machine), image)))
