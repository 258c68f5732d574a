"""The data port with its micro TLB, without a walker (cocotb_translate_unit)."""

import re

from support.run import run_unit, verilog


def test_translate_unit():
    """Both ports have one; of the modules that the generator made of them it is the data port's."""
    unit = re.search(r"^  (TranslateUnit\w*) +data \(", verilog("mmu").read_text(), re.M)[1]
    run_unit(unit, "unit.mmu.cocotb_translate_unit", inside="mmu")
