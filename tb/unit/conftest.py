"""Makes a test of each place of a module's RUNS."""

import pytest

from support.on import On
from support.run import run_unit
from unit.places import build_of, builds


def item(module: pytest.Module, on: On) -> pytest.Item:
    whole, config = on.unit.split(":")
    name = module.obj.__name__

    def run() -> None:
        build = build_of(name, on)
        run_unit(
            on.part or whole,
            name,
            config,
            tests=on.tests,
            inside=on.part and whole,
            shared=(build, builds()[build]) if build.startswith("parts_") else None,
        )

    test = pytest.Function.from_parent(
        module, name=f"{on.unit}/{on.part}" if on.part else on.unit, callobj=run
    )
    if on.rare:
        test.add_marker(pytest.mark.slow)
    return test


def pytest_pycollect_makeitem(collector, name, obj) -> list[pytest.Item] | None:
    return [item(collector, on) for on in obj] if name == "RUNS" else None
