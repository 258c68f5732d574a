"""Verilator's builds are half of what `make test` takes (docs/decisions/0055): who adds one sees it
here."""

from unit.places import build_of, places


def test_builds_of_make_test_are_few():
    builds = {build_of(module, on) for module, on in places() if not on.rare}
    assert len(builds) == 24, sorted(builds)
