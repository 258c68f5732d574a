"""The memory manager under random operations and failing allocations, on the host: ten thousand
steps at each granule. `make fuzz-mm` runs a million."""

import pytest

from system.sw.fuzz_mm import PROGRAMS, SHAPES, fuzz
from system.sw.host_build import SW, build


@pytest.mark.parametrize("granule", SHAPES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_random_operations(name: str, granule: str) -> None:
    program = build(SW / "tests" / f"{name}.c")
    assert not fuzz(program, granule, steps=10_000, seed=1)
