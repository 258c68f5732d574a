"""The cells that synthesis made of the board: they boot the firmware, and its self-test passes;
the small driver costs on them what it costs on the fast simulator.

What the simulation of the RTL cannot show: RAMs that read while they are written, registers without
a start value, and what synthesis made of the source. Builds for some minutes: `make netlist-test`.
"""

import pytest

from granule.figures import split
from support.run import ROOT
from tools.board.simulator import FASTEST, MHZ
from tools.board.test_board import DRIVER, check_driver
from tools.board.test_firmware import boot

NETLIST = ROOT / "build" / "granule-netlist-sim"

# `make netlist-test` builds what they need, and runs them.
pytestmark = pytest.mark.slow


def test_the_netlist_boots_and_its_self_test_passes(tmp_path):
    """Banner and every check of sw/experiments/selftest.c: faults, COW, fork, TLB, interrupts."""
    text, figures = split(
        boot(tmp_path, f"baud={FASTEST} run=selftest", simulator=NETLIST).replace("\r", ""),
        "ulx3s-netlist",
    )
    assert "Granule firmware" in text
    assert any(line.startswith(f"  machine      ulx3s, {MHZ}000 kHz") for line in text), text
    assert any("11 results, 0 failed, 0 warnings" in line for line in text), text
    assert {figure.verdict for figure in figures} == {"PASS"}
    assert len(figures) == 11


def test_the_small_driver_runs_at_4k(tmp_path):
    """It is ended where its next granule begins, which has one colour and would take longer."""
    arguments = (tmp_path, f"baud={FASTEST}")
    check_driver(boot(*arguments, elf=DRIVER, simulator=NETLIST, end=b"pages of 16 KiB"))
