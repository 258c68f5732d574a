"""The fields of the registers: they lie where the RTL has them, and numbers come back as they went
in."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.fields import LAYOUTS, SATP, SCTLR, TCR, TCR2, TTBR0

SCALA = Path(__file__).parents[2] / "rtl/src/granule/arch/Registers.scala"
BIT_FIELD = r"BitField\((\d+)(?:, (\d+))?\)"
# What the RTL calls fields of each half otherwise than the Arm ARM, without the number.
PAIRS = {"tnsz": "T{}SZ", "disch": "DisCH{}"}


def in_the_rtl(name: str) -> dict[str, tuple[int, int]]:
    """Field -> its highest and lowest bit, as the RTL has them."""
    body = re.search(rf"^object {name} \{{(.*?)^\}}", SCALA.read_text(), re.M | re.S)[1]

    def place(lsb: str, width: str) -> tuple[int, int]:
        return int(lsb) + int(width or 1) - 1, int(lsb)

    found = {}
    for field, *numbers in re.findall(rf"val (\w+) = {BIT_FIELD}", body):
        found[field.upper()] = place(*numbers)
    for field, *numbers in re.findall(rf"val (\w+) = HalfField\({BIT_FIELD}, {BIT_FIELD}\)", body):
        pattern = PAIRS.get(field, field.upper() + "{}")
        found |= {pattern.format(0): place(*numbers[:2]), pattern.format(1): place(*numbers[2:])}
    return found


def ours(layout) -> dict[str, tuple[int, int]]:
    return {name: (place.high, place.low) for name, place in layout.fields.items()}


@pytest.mark.parametrize(("layout", "scala"), [(SCTLR, "Sctlr"), (TCR, "Tcr"), (TCR2, "Tcr2")])
def test_they_lie_where_the_rtl_has_them(layout, scala):
    assert ours(layout) == in_the_rtl(scala)


def test_satp_and_ttbr_too():
    """Of satp the RTL names the high word as well; TTBR's base has several forms there."""
    assert ours(SATP) | {"HIGH": (63, 32)} == in_the_rtl("Satp")
    ttbr = in_the_rtl("Ttbr")
    assert ours(TTBR0)["ASID"] == ttbr["ASID"] and ours(TTBR0)["CnP"] == ttbr["CNP"]
    low, high = ttbr["BADDRLOW"], ttbr["BADDRHIGH"]
    assert ours(TTBR0)["BADDR"] == (high[0], low[1]) and high[1] == low[0] + 1


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_fields_do_not_overlap(layout):
    bits = [b for place in layout.fields.values() for b in range(place.low, place.high + 1)]
    assert len(bits) == len(set(bits)) and max(bits) < layout.width


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@given(register=st.integers(0, (1 << 64) - 1))
def test_what_is_taken_apart_can_be_put_together(layout, register):
    known = sum(((1 << p.width) - 1) << p.low for p in layout.fields.values())
    values = layout.decode(register)
    assert layout(**values) == register & known
    assert layout.parse(",".join(f"{name}={value}" for name, value in values.items())) == layout(
        **values
    )


def test_names_of_values():
    assert TCR(TG0="64k", TG1="64k") == 0b01 << 14 | 0b11 << 30
    assert TCR.parse("T0SZ=0x19, IPS=48bit") == 25 | 5 << 32
    assert TTBR0(BADDR=0x40000000, ASID=7) == 0x40000000 | 7 << 48
    assert TCR.parse("0x10") == 16


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("T0SZ=64", r"TCR.T0SZ is 64; use 0 to 63 \(6 bits\)"),
        ("T0SZ=-1", "TCR.T0SZ is '-1', which has no meaning; use a number"),
        ("TG0=8k", "TCR.TG0 is '8k', which has no meaning; use 4k, 16k, 64k or a number"),
        ("SIZE=1", "TCR has no field 'SIZE'; it has T0SZ, "),
        ("T0SZ=1,T0SZ=2", "TCR.T0SZ is given twice"),
        ("T0SZ=1,", "TCR has no field ''"),
        ("0x10000000000000000", "no value of TCR; give 0 to 2\\^64 - 1, or fields as in T0SZ=1"),
        ("sixteen", "'sixteen' is no value of TCR"),
    ],
)
def test_what_is_refused(text, says):
    with pytest.raises(ValueError, match=says):
        TCR.parse(text)


def test_an_address_has_its_own_bits():
    with pytest.raises(ValueError, match="TTBR0.BADDR is 0x40000001; an address there has bits"):
        TTBR0(BADDR=0x40000001)
    with pytest.raises(ValueError, match="below 0x1000000000000"):
        TTBR0(BADDR=1 << 48)
