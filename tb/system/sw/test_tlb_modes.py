"""Unmapping in each mode of invalidation: what each leaves in the MMUs, and what it costs. On a
machine that posts TLBIs: `make test-dma`."""

import pytest

from system.sw.firmware import boot

OK = 0
MODES = ("each", "local", "broadcast", "ipi", "none", "range")
MANY = (64, 512)  # with fewer, what is in the caches counts more than the mode


def test_a_machine_without_a_second_mmu_says_so():
    result = boot("run=tlb")
    assert result.status == OK and not result.figures, result.text
    assert "machine 'teaching' has no second MMU, or TLBIs are not posted: skipped" in result.text


def test_a_mode_that_does_not_exist_is_named():
    result = boot("run=tlb tlb=shout")
    assert "tlb='shout' is no mode. There are: each local broadcast" in result.text
    assert "Malformed early option 'tlb'" in result.text


@pytest.mark.slow
@pytest.mark.parametrize("size", ["4k", "16k", "64k"])
def test_what_each_mode_leaves_and_what_it_costs(size):
    result = boot(f"pagesize={size} run=tlb", "dma")
    assert result.status == OK, result.text
    for mode in MODES:
        assert (result.value(f"T.left.{mode}.cpu") > 0) == (mode == "none"), mode
        assert (result.value(f"T.left.{mode}.device") > 0) == (mode in ("none", "local")), mode

    def cycles(load: str, mode: str, pages: int) -> float:
        return sum(result.value(f"T.{load}.{mode}.{pages}.{part}") for part in ("send", "wait"))

    for load in ("idle", "busy"):
        for pages in MANY:
            none = cycles(load, "none", pages)
            assert all(cycles(load, mode, pages) > none for mode in MODES if mode != "none")
        # A wait for all costs less than a wait for each, and a range less than any of its pages.
        assert cycles(load, "broadcast", 512) < cycles(load, "each", 512)
        assert cycles(load, "range", 512) < cycles(load, "broadcast", 512)


@pytest.mark.slow
def test_one_mode_alone():
    result = boot("run=tlb tlb=local", "dma")
    assert result.status == OK, result.text
    modes = {name.split(".")[2] for name in result.figures if name.startswith("T.idle.")}
    assert modes == {"local"}
