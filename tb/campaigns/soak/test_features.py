"""The table of configurations says what the ID registers of the RTL say."""

import json

import pytest

from model.features import decode
from support.configurations import CONFIGURATIONS
from support.run import built


@pytest.fixture(scope="module")
def identification() -> dict:
    return json.loads((built("build/include/.ready").parent / "granule_id.json").read_text())


@pytest.mark.parametrize("config", CONFIGURATIONS)
def test_table_and_id_registers_agree(config, identification):
    registers = {name: int(value, 16) for name, value in identification[config].items()}
    registers.pop("isar0")
    features = CONFIGURATIONS[config].features
    told = decode(**registers)
    assert told == {name: getattr(features, name) for name in told}
