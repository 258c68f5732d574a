"""Room for one command in front of the data cache (cocotb_command_buffer)."""

from support.run import run_unit


def test_command_buffer():
    run_unit("CommandBuffer", "unit.cache.cocotb_command_buffer", inside="cacheip")
