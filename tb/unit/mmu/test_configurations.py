"""What a configuration leaves out is not in its netlist."""

import re

import pytest

from support.run import verilog

# Left out of a configuration -> what would be in its Verilog otherwise.
TRACES = {
    "walk cache": r"\bmodule WalkCache\b",
    "AT": r"\bmodule AddressTranslate\b",
    "read-out": r"\bio_viewKey_asid\b",
    "swaps": r"output reg\s+io_memory_cmd_payload_swap",  # in the walker; else it is constant
    "128-bit descriptors": r"\[127:0\]\s+io_walk_rsp_payload_data",
    "Sv32": r"\bio_context_satp\[31\]",
    "RV64": r"\bio_context_satp\[63 : 60\]",
}
WITHOUT = {
    "minimal": set(TRACES),
    "vmsa48_nocache": {"walk cache", "read-out", "128-bit descriptors", "RV64"},
    "teaching": {"128-bit descriptors", "RV64"},
    "wide": set(),
}


@pytest.mark.parametrize("config", WITHOUT)
def test_left_out_is_gone(config):
    text = verilog("mmu", config).read_text()
    found = {name for name, trace in TRACES.items() if re.search(trace, text)}
    assert found == set(TRACES) - WITHOUT[config]
