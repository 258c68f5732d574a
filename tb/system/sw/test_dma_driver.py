"""Experiments of a machine with a DMA engine, whose MMU is a second one to invalidate: the driver's
contents, page faults that it serves, errors, and munmap under a transfer; what unmapping leaves in
the MMUs in each mode of invalidation, and what it costs. `make test-dma` runs what is slow here."""

import pytest

from system.sw.firmware import Boot, boot

OK = 0
MODES = ("each", "local", "broadcast", "ipi", "none", "range")
MANY = (64, 512)  # with fewer, what is in the caches counts more than the mode

each_granule = pytest.mark.parametrize("size", ["4k", "16k", "64k"])


def good(arguments: str, config: str = "dma") -> Boot:
    result = boot(arguments, config)
    assert result.status == OK, result.text
    return result


@pytest.mark.parametrize(
    ("name", "lacks"),
    [("dma", "has no DMA engine"), ("tlb", "has no second MMU, or TLBIs are not posted")],
)
def test_a_machine_without_one_says_so(name, lacks):
    result = good(f"run={name}", "teaching")
    assert not result.figures and f"machine 'teaching' {lacks}: skipped" in result.text


@pytest.mark.slow
@each_granule
def test_what_must_hold_holds_and_what_is_measured_is_there(size):
    result = good(f"pagesize={size} run=dma")
    assert all(result.value(f"D.{n}") == 0 for n in range(1, 15))
    for operation in ("zero", "copy"):
        for state in ("cold", "dirty"):
            name = f"D.{operation}.{state}.dma"
            # The CPU begins and ends it, and is free between.
            assert 0 < result.value(f"{name}.busy") < result.value(name)
    assert result.value("D.list.one") < result.value("D.list.each"), "one interrupt for all pages"


@pytest.mark.slow
@each_granule
def test_the_memory_management_holds_where_the_engine_clears_and_copies(size):
    result = good(f"pagesize={size} run=selftest dma=zero,cow")
    by_cpu = good(f"pagesize={size} run=selftest dma=none")
    for part in ("zero", "cow"):
        pages = result.value(f"P.{part}.pages")
        assert 0 < result.value(f"P.{part}.by_engine") == pages == by_cpu.value(f"P.{part}.pages")
        assert by_cpu.value(f"P.{part}.by_engine") == 0


def test_a_machine_without_an_engine_clears_and_copies_all_the_same():
    result = good("run=selftest dma=zero,cow", "teaching")
    assert "dma=: machine 'teaching' has no DMA engine; the CPU clears and copies" in result.text
    assert result.value("P.zero.by_engine") == 0 < result.value("P.zero.pages")


@pytest.mark.slow
@each_granule
def test_what_each_mode_leaves_and_what_it_costs(size):
    result = good(f"pagesize={size} run=tlb")
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
    result = good("run=tlb tlb=local")
    modes = {name.split(".")[2] for name in result.figures if name.startswith("T.idle.")}
    assert modes == {"local"}
