"""Programs of the shape that RISC-V test programs have, without translation. They check
themselves."""

import pytest

from riscv.build import physical_program, programs
from soc.simulator import simulate


@pytest.mark.parametrize("program", programs("user") + programs("machine"))
def test_without_translation(program):
    simulate(physical_program(program)).passed()
