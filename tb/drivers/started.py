"""A cocotb test that is given its bench."""

import functools
from collections.abc import Awaitable, Callable

import cocotb


def bench_test(bench: type) -> Callable[[Callable[..., Awaitable[None]]], object]:
    """Like cocotb.test(), for tests of a started `bench` in the place of the unit itself."""

    def decorate(test: Callable[..., Awaitable[None]]) -> object:
        @cocotb.test()
        @functools.wraps(test)
        async def started(dut) -> None:
            await test(await bench.start(dut))

        return started

    return decorate
