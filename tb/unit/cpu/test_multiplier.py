from support.run import run_unit


def test_multiplier():
    run_unit("Multiplier", "unit.cpu.cocotb_multiplier", inside="simsoc")
