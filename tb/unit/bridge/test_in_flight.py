from support.run import run_unit


def test_in_flight():
    run_unit("devicemmu", "unit.bridge.cocotb_bridge_order", "vmsa48_nocache")
