"""The firmware's driver of the DMA engine: contents, page faults that it serves, errors, and munmap
under a transfer. On a machine with an engine: `make test-dma`."""

import pytest

from system.sw.firmware import boot

OK, FAILED = 0, 1


def test_a_machine_without_an_engine_says_so():
    result = boot("run=dma")
    assert result.status == OK and not result.figures, result.text
    assert "machine 'teaching' has no DMA engine: skipped" in result.text


@pytest.mark.slow
@pytest.mark.parametrize("size", ["4k", "16k", "64k"])
def test_what_must_hold_holds_and_what_is_measured_is_there(size):
    result = boot(f"pagesize={size} run=dma", "dma")
    assert result.status == OK, result.text
    assert all(result.value(f"D.{n}") == 0 for n in range(1, 15))
    for operation in ("zero", "copy"):
        for state in ("cold", "dirty"):
            name = f"D.{operation}.{state}.dma"
            # The CPU begins and ends it, and is free between.
            assert 0 < result.value(f"{name}.busy") < result.value(name)
    assert result.value("D.list.one") < result.value("D.list.each"), "one interrupt for all pages"


@pytest.mark.slow
@pytest.mark.parametrize("size", ["4k", "16k", "64k"])
def test_the_memory_management_holds_where_the_engine_clears_and_copies(size):
    result = boot(f"pagesize={size} run=selftest dma=zero,cow", "dma")
    assert result.status == OK, result.text
    for part in ("zero", "cow"):
        pages = result.value(f"P.{part}.pages")
        assert 0 < result.value(f"P.{part}.by_engine") == pages
    by_cpu = boot(f"pagesize={size} run=selftest dma=none", "dma")
    assert by_cpu.status == OK, by_cpu.text
    for part in ("zero", "cow"):
        assert by_cpu.value(f"P.{part}.by_engine") == 0
        assert by_cpu.value(f"P.{part}.pages") == result.value(f"P.{part}.pages")


def test_a_machine_without_an_engine_clears_and_copies_all_the_same():
    result = boot("run=selftest dma=zero,cow")
    assert result.status == OK, result.text
    assert "dma=: machine 'teaching' has no DMA engine; the CPU clears and copies" in result.text
    assert result.value("P.zero.by_engine") == 0 < result.value("P.zero.pages")


def test_without_the_argument_nothing_is_counted():
    assert "P.all" not in boot("run=dma").figures


@pytest.mark.parametrize("value", ["zero,cov", "", "none,zero", "zero,"])
def test_what_the_argument_does_not_know_is_named(value):
    result = boot(f"run=dma dma={value}")
    assert result.status == FAILED and "P.all" not in result.figures
    wrong = {"zero,cov": "cov", "": "", "none,zero": "none", "zero,": ""}[value]
    assert f"dma='{wrong}' is none of zero, cow, zero,cow and none" in result.text
    assert "Malformed early option 'dma'" in result.text
