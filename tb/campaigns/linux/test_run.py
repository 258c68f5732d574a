"""What `make soak-linux` calls wrong."""

import pytest

from campaigns.linux.run import Machine, differences

KEY = ("stress", 3, 20)
FOUND = {KEY: "0x00000001"}
CONSOLE = ["test stress      seed 4 rounds 20 FAILED", "init: exit status 0"]


@pytest.mark.parametrize(
    ("machine", "qemu", "says"),
    [
        ({"found": FOUND}, FOUND, ""),
        ({"found": FOUND}, {KEY: "0x00000002"},
         "teaching: granule-test stress 3 20 gives 0x00000001, QEMU 0x00000002"),
        ({"found": FOUND}, {}, "QEMU nothing"),
        ({"found": FOUND, "console": CONSOLE, "ended": True}, FOUND, "ended by itself"),
        ({"found": FOUND, "console": CONSOLE, "ended": True}, FOUND, "seed 4"),
        ({}, {}, "finished no seed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(machine, qemu, says):
    wrong = differences(Machine("teaching", [], **machine), qemu)
    assert len(wrong) == bool(says) and says in "".join(wrong)
