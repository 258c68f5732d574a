from support.run import run_unit


def test_write_data():
    run_unit("devicemmu", "unit.bridge.cocotb_bridge_data", "vmsa48_nocache")
