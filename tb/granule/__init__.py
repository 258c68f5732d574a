"""Granule, an open MMU: its golden model, its simulator and what that prints.

    granule.translate(va, registers, descriptors)   one walk of the golden model, step by step
    granule.run(boot="pagesize=4k run=e002")        a program on the simulator, with its counters

docs/python.md is the guide."""

from granule.figures import Figure, MalformedPoint, MalformedResult
from granule.golden import model, part
from granule.simulator import Counts, Run, RunFailed, SimulatorError, run
from granule.tables import Machine, made_up, memory_from, registers_for
from granule.translation import Result, explain, translate

Memory, Registers = model.Memory, model.Registers
LAYOUTS = part("fields").LAYOUTS
TCR, TTBR0, TTBR1, MAIR, MAIR2 = (LAYOUTS[n] for n in ("tcr", "ttbr0", "ttbr1", "mair", "mair2"))
SCTLR, TCR2, PIR, PIRE0, SATP = (LAYOUTS[n] for n in ("sctlr", "tcr2", "pir", "pire0", "satp"))

__version__ = "0.2.0"  # that of pyproject.toml; a test compares them

__all__ = [
    "LAYOUTS", "MAIR", "MAIR2", "PIR", "PIRE0", "SATP", "SCTLR", "TCR", "TCR2", "TTBR0", "TTBR1",
    "Counts", "Figure", "Machine", "MalformedPoint", "MalformedResult", "Memory", "Registers",
    "Result", "Run", "RunFailed", "SimulatorError", "explain", "made_up", "memory_from",
    "registers_for", "run", "translate",
]  # fmt: skip
