"""Every component of the product is the top of a simulation below tb/unit, or WITHIN names the file
that tests it; and every module of cocotb tests there says where it runs."""

import re
from importlib import import_module
from pathlib import Path

from support.on import On
from support.run import ROOT

# Tops of boards and nets around a unit for synthesis: tb/tools looks at what they make. Proofs:
# tb/formal runs them.
NOT_OF_THE_MACHINE = ("board", "gen", "verify")
COMPONENT = re.compile(r"\bclass (\w+)(?:\((?:[^()]|\([^()]*\))*\))?\s+extends Component\b")


# Components that do not run alone, the file that tries them with all around them, and the unit that
# it runs.
WITHIN = {
    "AddressTranslate": ("unit/mmu/cocotb_address_translate.py", "mmuip"),
    "Alu": ("unit/cpu/cocotb_lockstep.py", "cpubench"),
    "ApbSlice": ("system/soc/test_soc.py", "run_program("),
    "AxiBridge": ("unit/bridge/cocotb_bridge_random.py", "devicemmu"),
    "BridgeRegisters": ("unit/bridge/cocotb_bridge_faults.py", "devicemmu"),
    "CommandBuffer": ("unit/cache/cocotb_cacheip.py", "cacheip"),
    "Cpu": ("unit/cpu/cocotb_lockstep.py", "cpubench"),
    "Divider": ("unit/cpu/cocotb_lockstep.py", "cpubench"),
    "DmaEngine": ("unit/dma/cocotb_dma_lists.py", "dma"),
    "DmaRegisters": ("unit/dma/cocotb_dma_errors.py", "dma"),
    "EntryLog": ("unit/mmu/cocotb_mmu_invalidate.py", "mmu"),
    "Finisher": ("system/soc/test_soc.py", "run_program("),
    "HashedTable": ("unit/mmu/cocotb_hashed_table.py", "mmu"),
    "InFlight": ("unit/bridge/cocotb_bridge_order.py", "devicemmu"),
    # Its ports are named for AXI models.
    "Interconnect": ("unit/soc/cocotb_interconnect.py", "soc_interconnect"),
    "InvalidateBroadcast": ("unit/mmu/cocotb_mmu_posted.py", "mmuip"),
    "InvalidateQueue": ("unit/mmu/cocotb_mmu_posted.py", "mmuip"),
    "LineArrays": ("unit/cache/cocotb_l1data_random.py", "l1data"),
    "LineEngine": ("unit/cache/cocotb_l1data_random.py", "l1data"),
    "MainTlb": ("unit/mmu/cocotb_main_tlb.py", "mmu"),
    "Maintainer": ("unit/cache/cocotb_cacheip.py", "cacheip"),
    "MicroTlb": ("unit/tlb/cocotb_micro_tlb.py", "mmu"),
    "MmuRegisters": ("unit/mmu/cocotb_mmu_registers.py", "mmuip"),
    "Mover": ("unit/dma/cocotb_dma_random.py", "dma"),
    "Multiplier": ("unit/cpu/cocotb_lockstep.py", "cpubench"),
    "Soc": ("system/soc/test_soc.py", "run_program("),
    "Sysinfo": ("system/soc/test_soc.py", "run_program("),
    "TranslateUnit": ("unit/mmu/cocotb_mmu_traffic.py", "mmu"),
    "Translator": ("unit/bridge/cocotb_bridge_translate.py", "devicemmu"),
    "UncachedPort": ("unit/cache/cocotb_l1data_random.py", "l1data"),
    "VictimChooser": ("unit/cache/cocotb_l1data_lines.py", "l1data"),
    "WalkTurn": ("unit/mmu/cocotb_mmu_latency.py", "mmu"),
    "Walker": ("unit/walk/cocotb_walker.py", "mmu"),
    "WriteData": ("unit/bridge/cocotb_bridge_random.py", "devicemmu"),
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


def tops() -> set[str]:
    """What is the top of a simulation, of each module of cocotb tests below tb/unit."""
    found = set()
    for path in (ROOT / "tb/unit").rglob("cocotb_*.py"):
        runs = runs_of(path)
        assert runs or "run_unit(" in path.read_text(), f"{path} says in no RUNS where it runs"
        found |= {plain(on.part or on.unit.split(":")[0]) for on in runs}
    return found


def runs_of(path: Path) -> list[On]:
    module = import_module(".".join(path.relative_to(ROOT / "tb").with_suffix("").parts))
    return getattr(module, "RUNS", [])


def test_components_are_tested_alone_or_within_another():
    found, alone = components(), tops()
    assert set(WITHIN) <= set(found)
    for name, file in found.items():
        assert (plain(name) in alone) != (name in WITHIN), f"{file}: alone, or WITHIN: one of both"
    for name, (test, unit) in WITHIN.items():
        path = ROOT / "tb" / test
        runs = path.name.startswith("cocotb_") and runs_of(path)
        units = {on.unit.split(":")[0] for on in runs or ()}
        assert unit in units or unit in path.read_text() and not units, f"{name}: {test}: {units}"
