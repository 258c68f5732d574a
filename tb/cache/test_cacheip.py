"""Both caches with their registers, as the configurations have them."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("config", ("teaching", "ulx3s"))
def test_cacheip(config):
    run_unit("cacheip", "cache.cocotb_cacheip", config, extra_env={"GRANULE_CACHE": config})
