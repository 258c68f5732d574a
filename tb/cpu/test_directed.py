from support.run import run_unit


def test_directed():
    run_unit("cpubench", "cpu.cocotb_directed")
