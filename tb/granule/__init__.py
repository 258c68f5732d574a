"""Granule, an open MMU: its golden model, its simulator and what that prints.

    granule.translate(va, registers, descriptors)   one walk of the golden model, step by step
    granule.run(boot="pagesize=4k run=e002")        a program on the simulator, with its counters

docs/python.md is the guide."""

from granule.figures import Figure, MalformedResult
from granule.golden import model
from granule.simulator import Run, RunFailed, SimulatorError, run
from granule.tables import Machine, made_up, memory_from
from granule.translation import Result, explain, translate

Registers = model.Registers

__all__ = [
    "Figure",
    "Machine",
    "MalformedResult",
    "Registers",
    "Result",
    "Run",
    "RunFailed",
    "SimulatorError",
    "explain",
    "made_up",
    "memory_from",
    "run",
    "translate",
]
