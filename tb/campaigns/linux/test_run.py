"""What `make soak-linux` calls wrong."""

from campaigns.linux.run import Machine, differences

KEY = ("stress", 3, 20)


def machine(**what) -> Machine:
    return Machine("teaching", [], **what)


def test_the_same_checksums_are_right():
    assert not differences(machine(found={KEY: "0x00000001"}), {KEY: "0x00000001"})


def test_another_checksum_names_the_test():
    wrong = differences(machine(found={KEY: "0x00000001"}), {KEY: "0x00000002"})
    assert wrong == ["teaching: granule-test stress 3 20 gives 0x00000001, QEMU 0x00000002"]


def test_a_checksum_that_qemu_has_not_is_wrong():
    assert "QEMU nothing" in differences(machine(found={KEY: "0x00000001"}), {})[0]


def test_a_machine_that_ends_shows_its_console():
    console = ["test stress      seed 4 rounds 20 FAILED", "init: exit status 0"]
    ended = machine(found={KEY: "0x00000001"}, console=console, ended=True)
    wrong = differences(ended, {KEY: "0x00000001"})
    assert len(wrong) == 1 and "ended by itself" in wrong[0] and "seed 4" in wrong[0]


def test_a_machine_that_finished_nothing_is_wrong():
    assert "finished no seed" in differences(machine(), {})[0]
