from support.run import run_unit


def test_dma_engine():
    run_unit("dma", "unit.dma.cocotb_dma_lists")
