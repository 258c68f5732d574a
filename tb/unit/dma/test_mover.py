from support.run import run_unit


def test_mover():
    run_unit("dma", "unit.dma.cocotb_dma_random")
