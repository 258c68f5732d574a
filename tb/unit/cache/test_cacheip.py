"""Both caches with their registers, as the configurations have them."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize(
    ("config", "caches"), (("teaching", "teaching"), ("ulx3s", "ulx3s"), ("wide", "teaching"))
)
def test_cacheip(config, caches):
    """`caches`: the configuration that says what caches it has."""
    run_unit("cacheip", "unit.cache.cocotb_cacheip", config, extra_env={"GRANULE_CACHE": caches})
