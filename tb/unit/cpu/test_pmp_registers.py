"""The registers of physical memory protection (cocotb_pmp_registers), and where there are none."""

import re

import pytest

from support.run import run_unit, verilog


@pytest.mark.parametrize(("entries", "inside"), [(8, "simsoc"), (16, "cpu_pmp16")])
def test_pmp_registers(entries, inside):
    run_unit(
        "Csr",
        "unit.cpu.cocotb_pmp_registers",
        inside=inside,
        extra_env={"ENTRIES": str(entries)},
    )


def test_without_entries_no_register_exists():
    text = verilog("cpubench", "minimal").read_text()
    assert not re.search(r"pmp", text), "the CSR file of `minimal` has some"
    assert "pmp" in verilog("cpubench", "teaching").read_text()
