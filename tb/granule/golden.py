"""The golden model, from where it is: the wheel has it within this package (pyproject.toml), a
checkout beside it, where the bench calls it `model` too. Either way there is one copy of it."""

import importlib
from types import ModuleType

try:
    from granule import model
except ImportError:
    import model


def part(name: str) -> ModuleType:
    """A module of the model, by its name there."""
    return importlib.import_module(f"{model.__name__}.{name}")
