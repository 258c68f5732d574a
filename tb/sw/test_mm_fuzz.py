"""The memory manager under random operations and failing allocations, on the host: ten thousand
steps at each granule. `make fuzz-mm` runs a million."""

import pytest

from sw.fuzz_mm import SHAPES, fuzz
from sw.host_build import SW, build


@pytest.mark.parametrize("granule", SHAPES)
def test_random_operations(granule: str) -> None:
    program = build(SW / "tests" / "fuzz_mm.c")
    assert not fuzz(program, granule, steps=10_000, seed=1)
