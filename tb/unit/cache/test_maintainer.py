from support.run import run_unit


def test_maintainer():
    run_unit("Maintainer", "unit.cache.cocotb_maintainer", inside="cacheip")
