"""Registers as SystemRDL: what is not understood is named."""

import json

import pytest

from tools.dist import rdl

FIELD = {
    "name": "level",
    "pos": {"start": 1, "end": 3},
    "width": 3,
    "reset": 5,
    "doc": 'its "level"',
}


def block(access: str) -> str:
    reserved = {**FIELD, "name": "--", "access": "NA"}
    register = {"name": "CONTROL", "addr": 16, "doc": "what it does"}
    return json.dumps(
        {"datawidth": 32, "slices": [register | {"fields": [FIELD | {"access": access}, reserved]}]}
    )


def test_a_field_has_its_bits_and_its_reset() -> None:
    text = rdl.systemrdl("granule_x", block("RW"))
    assert "\\level[3:1] = 3'h5;" in text and "\\control @ 0x10;" in text
    assert 'desc = "its \\"level\\"";' in text
    assert text.count("field {") == 1  # none for what is reserved


def test_an_access_that_is_not_known_is_named() -> None:
    with pytest.raises(ValueError, match="CONTROL: field level has access W0T; known: "):
        rdl.systemrdl("granule_x", block("W0T"))
