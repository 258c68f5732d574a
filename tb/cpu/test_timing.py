from support.run import run_unit


def test_timing():
    run_unit("cpubench", "cpu.cocotb_timing")
