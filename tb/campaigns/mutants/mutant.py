"""One seeded defect as data: where, what becomes what, and the test that must notice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """`killer`: what must fail: the cocotb test; for files of the golden model the pytest file; for
    files of the firmware (module "host") the program of sw/tests; for module "litmus" a shape; for
    module "changes" the world of a row of changes/short.py.
    `part`: the module of the unit that the cocotb test drives, if it is not the whole."""

    name: str
    defect: str
    source: str
    file: str
    old: str
    new: str
    module: str
    killer: str
    also: tuple[str, str] | None = None
    unit: str = "mmu:vmsa48_nocache"
    part: str | None = None
