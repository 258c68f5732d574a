"""Makes a test of each place of a module's RUNS."""

import pytest

from support.on import On
from support.run import run_unit


def item(module: pytest.Module, on: On) -> pytest.Item:
    whole, config = on.unit.split(":")

    def run() -> None:
        run_unit(
            on.part or whole,
            module.obj.__name__,
            config,
            tests=on.tests,
            inside=on.part and whole,
        )

    name = f"{on.unit}/{on.part}" if on.part else on.unit
    test = pytest.Function.from_parent(module, name=name, callobj=run)
    if on.rare:
        test.add_marker(pytest.mark.slow)
    return test


def pytest_pycollect_makeitem(collector, name, obj) -> list[pytest.Item] | None:
    return [item(collector, on) for on in obj] if name == "RUNS" else None
