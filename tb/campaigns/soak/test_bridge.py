"""A run of `make soak-bridge`."""

from campaigns.soak import bridge


def test_a_run_has_its_beats():
    beats, cycles = bridge.run(seed=1, beats=2000)
    assert beats >= 2000 and cycles > 0
