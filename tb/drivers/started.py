"""A cocotb test that is given its bench."""

import functools
from collections.abc import Awaitable, Callable

import cocotb


def bench_test(bench: Callable, **how) -> Callable[[Callable[..., Awaitable[None]]], object]:
    """Like cocotb.test(), for tests of a bench in the place of the unit itself. `bench`: a class
    whose `start` makes it, as `how` says, or a coroutine that does."""
    start = getattr(bench, "start", bench)

    def decorate(test: Callable[..., Awaitable[None]]) -> object:
        @cocotb.test()
        @functools.wraps(test)
        async def started(dut, **parameters) -> None:
            await test(await start(dut, **how), **parameters)

        return started

    return decorate
