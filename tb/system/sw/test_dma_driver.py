"""The firmware's driver of the DMA engine: contents, page faults that it serves, errors, and munmap
under a transfer. On a machine with an engine: `make test-dma`."""

import pytest

from system.sw.firmware import boot

OK = 0


def test_a_machine_without_an_engine_says_so():
    result = boot("run=dma")
    assert result.status == OK and not result.figures, result.text
    assert "machine 'teaching' has no DMA engine: skipped" in result.text


@pytest.mark.slow
@pytest.mark.parametrize("size", ["4k", "16k", "64k"])
def test_what_must_hold_holds_and_what_is_measured_is_there(size):
    result = boot(f"pagesize={size} run=dma", "dma")
    assert result.status == OK, result.text
    assert all(result.value(f"D.{n}") == 0 for n in range(1, 7))
    for operation in ("zero", "copy"):
        for state in ("cold", "dirty"):
            name = f"D.{operation}.{state}.dma"
            # The CPU begins and ends it, and is free between.
            assert 0 < result.value(f"{name}.busy") < result.value(name)
