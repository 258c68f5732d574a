from support.run import run_unit


def test_alu():
    run_unit("Alu", "unit.cpu.cocotb_alu", inside="cpubench")
