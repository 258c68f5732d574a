from support.run import run_unit


def test_directed():
    run_unit("cpubench", "cpu.cocotb_directed")


def test_without_sv32():
    run_unit("cpubench", "cpu.cocotb_without_sv32", "minimal")
