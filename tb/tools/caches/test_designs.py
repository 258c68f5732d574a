"""A-5 on the whole system: one zero page or four, in three designs of the same cache."""

import pytest

from system.sw.firmware import boot

MISSES = {  # with one zero page, and with one for each of the four colours
    "ulx3s": (8000, 4),
    "ulx3s_copies": (4, 4),
    "ulx3s_physical": (1, 4),
}

pytestmark = pytest.mark.xdist_group("experiments")


@pytest.mark.parametrize("config", MISSES)
def test_colours_help_one_design_only(config):
    run = "all" if config == "ulx3s" else "e002"  # its group boots that one anyway
    result = boot(f"pagesize=4k run={run}", config)
    assert result.status == 0, result.text
    assert (result.value("A-5.single"), result.value("A-5.coloured")) == MISSES[config]
    assert ("A-7.single" in result.figures) == (config == "ulx3s_physical")
