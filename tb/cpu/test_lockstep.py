from support.run import run_unit


def test_lockstep():
    run_unit("cpubench", "cpu.cocotb_lockstep")
