"""The policy models against the rates that are known (analysis and simulation of others)."""

import pytest

from unit.cache.policy import steady_miss_rate

# policy -> rate for (ways, lines), lines of one set read in turn
KNOWN = {
    "lru": {(8, 8): 0, (8, 9): 1, (8, 10): 1, (8, 16): 1, (4, 5): 1, (2, 3): 1, (16, 17): 1},
    "plru": {(8, 8): 0, (8, 9): 1, (8, 10): 1, (8, 16): 1, (4, 5): 1, (2, 3): 1, (16, 17): 1},
    "nru": {(8, 8): 0, (8, 9): 0.571, (8, 10): 0.714, (8, 16): 1, (4, 5): 0.667, (16, 17): 0.533},
    "random": {(8, 8): 0, (8, 9): 0.222, (8, 10): 0.385, (8, 16): 0.81, (4, 5): 0.4},
}


@pytest.mark.parametrize("policy", KNOWN)
def test_rates(policy):
    for (ways, count), rate in KNOWN[policy].items():
        tolerance = 0.02 if policy == "random" else 0.002
        assert steady_miss_rate(ways, count, policy) == pytest.approx(rate, abs=tolerance)
