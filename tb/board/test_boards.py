"""Each board says everything that `make fpga` needs, for each of its sizes."""

import re

import pytest

from board.simulator import ROOT

BOARDS = sorted(path.parent for path in (ROOT / "fpga").glob("*/board.mk"))
CONFIGS = ROOT / "rtl" / "src" / "granule" / "config" / "GranuleConfig.scala"
CONSTRAINTS = {"ecp5": "lpf", "gowin": "cst"}


def variables(text: str) -> dict[str, str]:
    """Assignments of a board.mk."""
    lines = re.findall(r"^(\w+) *[?:]?= *([^#\n]*)", text, re.M)
    return {name: value.strip() for name, value in lines}


def test_there_are_two_families():
    families = {variables((board / "board.mk").read_text())["FAMILY"] for board in BOARDS}
    assert families == set(CONSTRAINTS)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_each_size_has_device_configuration_and_clock(board):
    values = variables((board / "board.mk").read_text())
    names = re.findall(r'name = "(\w+)"', CONFIGS.read_text())
    assert values["SIZE"] in values["SIZES"].split()
    for size in values["SIZES"].split():
        assert values[f"DEVICE_{size}"]
        assert values[f"BOARDCONFIG_{size}"] in names
        assert int(values[f"MHZ_{size}"]) > 0
    assert (board / f"{board.name}.{CONSTRAINTS[values['FAMILY']]}").exists()
    assert values["PROG"] and values["FLASH"]
