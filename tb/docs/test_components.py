"""Every component of the product is in the Verilog of a simulation below tb/unit; and every module
of cocotb tests there says where it runs. `make kills` asks what these tests would notice."""

import re

from campaigns.soak.watched import INSTANCE, MODULE
from support.on import On
from support.root import ROOT
from support.run import verilog
from unit.places import places

# Tops of boards and nets around a unit for synthesis: tb/tools looks at what they make. Proofs:
# tb/formal runs them.
NOT_OF_THE_MACHINE = ("board", "gen", "verify")
# Only programs on the whole machine reach these: system/soc/test_soc.py.
OF_THE_SYSTEM = {"Finisher", "Soc", "Sysinfo"}
COMPONENT = re.compile(r"\bclass (\w+)(?:\((?:[^()]|\([^()]*\))*\))?\s+extends Component\b")


def components() -> set[str]:
    """Of every file below rtl/src."""
    found = set()
    for path in (ROOT / "rtl/src/granule").rglob("*.scala"):
        if path.parent.name not in NOT_OF_THE_MACHINE:
            text = path.read_text()
            names = COMPONENT.findall(text)
            assert len(names) == len(re.findall(r"\bextends Component\b", text)), path
            found |= set(names)
    return found


def plain(name: str) -> str:
    """A top is named as its unit."""
    return name.removeprefix("soc_").replace("_", "").lower()


def simulated(on: On) -> set[str]:
    """Components in a unit, or in the part of it that runs."""
    top, config = on.unit.split(":")
    modules = dict(MODULE.findall(verilog(top, config).read_text()))
    found, waiting = set(), [on.part or top]
    while waiting:
        if (name := waiting.pop()) in modules and name not in found:
            found.add(name)
            waiting += [kind for kind, _ in INSTANCE.findall(modules[name])]
    return {plain(re.sub(r"_\d+$", "", name)) for name in found}


def test_every_component_is_simulated():
    tested = set().union(*map(simulated, {On(on.unit, on.part) for _, on in places()}))
    assert {name for name in components() if plain(name) not in tested} == OF_THE_SYSTEM


def test_every_module_of_tests_says_where_it_runs():
    placed = {module.rpartition(".")[2] for module, _ in places()}
    for path in (ROOT / "tb/unit").rglob("cocotb_*.py"):
        assert path.stem in placed or "run_unit(" in path.read_text(), path
