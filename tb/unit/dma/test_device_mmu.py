from support.run import run_unit


def test_device_mmu():
    run_unit("virtualdma", "unit.dma.cocotb_dma_virtual", "vmsa48_nocache")
