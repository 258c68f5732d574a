"""Every component of the product has a test file of its name, in any room of tb/."""

import re

import pytest

from support.run import ROOT

# Tops of boards and nets around a unit for synthesis: tb/tools looks at what they make.
NOT_OF_THE_MACHINE = ("board", "gen")
COMPONENT = re.compile(r"\bclass (\w+)(?:\((?:[^()]|\([^()]*\))*\))?\s+extends Component\b")


def components() -> dict[str, str]:
    """Name -> file, of every component below rtl/src."""
    found = {}
    for path in sorted((ROOT / "rtl/src/granule").rglob("*.scala")):
        if path.parent.name not in NOT_OF_THE_MACHINE:
            text = path.read_text()
            names = COMPONENT.findall(text)
            assert len(names) == len(re.findall(r"\bextends Component\b", text)), path
            found |= {name: str(path.relative_to(ROOT)) for name in names}
    return found


def plain(name: str) -> str:
    return name.replace("_", "").lower()


TESTS = {plain(path.stem.removeprefix("test_")) for path in (ROOT / "tb").rglob("test_*.py")}


def test_components_are_found():
    names = components()
    assert len(names) > 30 and {"L1Data", "Mmu", "Divider", "Timer"} <= set(names)


@pytest.mark.parametrize("name", components())
def test_component_has_a_test_of_its_name(name):
    assert plain(name) in TESTS, f"{components()[name]}: no test_*.py is named after {name}"
