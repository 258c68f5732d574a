from support.run import run_unit


def test_divider():
    run_unit("Divider", "unit.cpu.cocotb_divider", inside="simsoc")
