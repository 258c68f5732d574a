"""Where the cocotb tests of a module run: its RUNS, which tb/unit/conftest.py collects."""

from dataclasses import dataclass


@dataclass(frozen=True)
class On:
    """`unit`: of gen/Units.scala, with its configuration. `part`: the module in it that is the
    top; it is tested alone as it is built into the whole. `tests`: names of those to run; default:
    all. `rare`: `make test` leaves it out, as its build takes longer than what it shows beyond
    others; `make test-rare` has it."""

    unit: str
    part: str | None = None
    tests: list[str] | None = None
    rare: bool = False
