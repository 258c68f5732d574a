"""Every component of the product has a test file of its name, in any room of tb/, which runs it:
alone, or as INSTEAD says."""

import re

from support.run import ROOT

# Tops of boards and nets around a unit for synthesis: tb/tools looks at what they make. Proofs:
# tb/formal runs them.
NOT_OF_THE_MACHINE = ("board", "gen", "proof")
COMPONENT = re.compile(r"\bclass (\w+)(?:\((?:[^()]|\([^()]*\))*\))?\s+extends Component\b")


# Components that their test does not run as a unit of their name, and what it has for that.
INSTEAD = {
    "Interconnect": 'run_unit("soc_interconnect"',  # its ports are named for AXI models
    "L1Data": "geometry import DATA",  # names of units, one a geometry
    "L1Fetch": "geometry import FETCH",
    "TranslateUnit": "(TranslateUnit\\w*) +data",  # the generator numbers the two that there are
    # Not alone, but with all around them.
    "AddressTranslate": 'run_unit("mmuip"',
    "AxiBridge": 'run_unit("devicemmu"',
    "BridgeRegisters": 'run_unit("devicemmu"',
    "DeviceMmu": 'run_unit("virtualdma"',
    "DmaEngine": 'run_unit("dma"',
    "DmaRegisters": 'run_unit("dma"',
    "Mover": 'run_unit("dma"',
    "Cpu": 'run_unit("cpubench"',
    "InFlight": 'run_unit("devicemmu"',
    "HashedTable": 'run_unit("mmu"',
    "MainTlb": 'run_unit("mmu"',
    "MicroTlb": 'run_unit("mmu"',
    "MmuRegisters": 'run_unit("mmuip"',
    "Soc": "run_program(",
    "Translator": 'run_unit("devicemmu"',
    "VirtualDma": 'run_program("dma"',  # and as DeviceMmu's unit
    "Walker": 'run_unit("mmu"',
    "WriteData": 'run_unit("devicemmu"',
}


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


TESTS = {plain(path.stem.removeprefix("test_")): path for path in (ROOT / "tb").rglob("test_*.py")}


def test_components_have_a_test_of_their_name_that_runs_them():
    found = components()
    assert set(INSTEAD) <= set(found)
    for name, file in found.items():
        assert plain(name) in TESTS, f"{file}: no test_*.py is named after {name}"
        text = TESTS[plain(name)].read_text()
        units = {plain(unit) for unit in re.findall(r'run_unit\(\s*"(\w+)"', text)}
        assert (plain(name) in units) != (name in INSTEAD), f"{name}: {units}"
        assert INSTEAD.get(name, "run_unit(") in text, f"{name}: {TESTS[plain(name)]}"
