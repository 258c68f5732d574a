from support.run import run_unit


def test_bridge_registers():
    run_unit("devicemmu", "unit.bridge.cocotb_bridge_faults", "vmsa48_nocache")
