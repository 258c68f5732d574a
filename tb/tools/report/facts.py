"""What README.md says in figures, each from a file that a command wrote."""

import json
import re
import statistics

from figures import rows
from figures.page import table
from figures.rows import Row
from granule.figures import INVARIANT
from support.root import ROOT
from tools.report.vectors import by_authority

DATA = ROOT / "docs" / "data"
AREA, FPGA = (DATA / f"{name}.json" for name in ("area", "fpga"))
PEERS = ROOT / "tb" / "tools" / "area" / "peers.json"
RTL = ROOT / "rtl" / "src" / "granule"
# Ours as the peers: synthesized with the mapping of Yosys itself, without protection of memory.
MMUS = ("minimal", "small", "unprotected")
PLAIN = "-plain"  # what tools/area calls such a row
# Peers: block, its name here, TLB entries, page sizes.
PEER_MMUS = (
    ("CVA6 MMU alone, Sv32, 8+8", "CVA6, Sv32", "8+8", "4K"),
    ("CVA6 MMU alone, Sv39, 16+16", "CVA6, Sv39", "16+16", "4K"),
)
WITH_MMU, WITHOUT_MMU = "VexRiscv from source, MMU 4+4", "VexRiscv from source, no MMU"
COLUMNS = ("MMU", "TLB entries", "pages", "LUT4", "LUTs as RAM", "MHz")
BOARDS = {f"ulx3s-{size}": f"ULX3S-{size}F" for size in (12, 25, 45, 85)}
BOARDS["tangnano20k-20"] = "Tang Nano 20K"
LOGIC = ("TRELLIS_COMB", "LUT4")  # what families call their LUTs


def parameter(name: str, key: str) -> str:
    """Of a configuration, as the Scala source has it: said there, or where it comes from, or a
    default."""
    files = ("soc/GranuleConfig.scala", "lab/Configurations.scala")
    configurations = "\n".join((RTL / file).read_text() for file in files)
    said = re.search(rf"val {name}: GranuleConfig = ?(.*?)\n\n", configurations, re.DOTALL)[1]
    if found := re.search(rf"\b{key} = (\w+(?:\([\d, ]+\))?)", said):
        return found[1]
    if parent := re.match(r"\s*(\w+)\.copy\(", said):
        return parameter(parent[1], key)
    defaults = (RTL / "arch/MmuConfig.scala").read_text()
    return re.search(rf"^    {key}: \S+ = (.*?),?$", defaults, re.MULTILINE)[1]


def entries(name: str) -> str:
    """Of both micro TLBs: instructions and data, as peers name theirs."""
    return "+".join(parameter(name, f"{port}TlbEntries") for port in ("fetch", "data"))


def pages(name: str) -> str:
    bits = map(int, re.findall(r"\d+", parameter(name, "granules")))
    return ", ".join(f"{1 << b - 10}K" for b in bits)


def our_mmu(name: str, measured: list[dict]) -> tuple[str, ...]:
    row = next(r for r in measured if (r["unit"], r["config"]) == ("mmu", name + PLAIN))
    mhz = f"{row['fmax']['median']:.0f}"
    return f"`{name}`", entries(name), pages(name), f"{row['lut4']:,}", f"{row['ram']:,}", mhz


def peer_mmus() -> list[tuple[str, ...]]:
    """CVA6's were measured alone; VexRiscv's is what its core has more, at the core's speed."""
    peers = {row["block"]: row for row in json.loads(PEERS.read_text())["rows"]}
    mhz = {block: f"{statistics.median(row['fmax']):.0f}" for block, row in peers.items()}
    found = [(*names, peers[block]["lut4"], mhz[block]) for block, *names in PEER_MMUS]
    more = peers[WITH_MMU]["lut4"] - peers[WITHOUT_MMU]["lut4"]
    found.append(("VexRiscv, Sv32", "4+4", "4K", more, f"{mhz[WITH_MMU]}, its core"))
    return [(*names, f"{luts:,}", "not counted", speed) for *names, luts, speed in found]


def boards() -> str:
    """The whole system on each board, as it was placed last."""
    on: dict[str, list[str]] = {}
    for row in json.loads(FPGA.read_text()):
        f = row["figures"]
        if f["met"]:
            used = next(f["used"][name][0] for name in LOGIC if name in f["used"])
            mhz = min(asked for _, asked in f["mhz"].values())
            told = f"`{row['configuration']}`, {used:,} LUTs at {mhz:.0f} MHz"
            on.setdefault(told, []).append(BOARDS[f["board"]])
    return "Whole systems: " + "; ".join(f"{', '.join(n)}: {told}" for told, n in on.items()) + "."


def configurations() -> str:
    measured = json.loads(AREA.read_text())["figures"]
    cells = [*(our_mmu(name, measured) for name in MMUS), *peer_mmus()]
    return f"{table(COLUMNS, cells, 'lllr', tight=True)}\n\n{boards()}"


def facts(found: list[Row]) -> str:
    answered = by_authority()
    by = ", ".join(f"{checks:,} by {name}" for name, checks in answered.items())
    held = rows.count(found)[INVARIANT]
    caches = len({r.configuration for r in found if r.cls == INVARIANT})
    return (
        f"- {sum(answered.values()):,} translations of the simulated hardware agree with what "
        f"others answered: {by}.\n- One binary runs with pages of 4, 16 and 64 KiB; its {held} "
        f"self-checks pass, on {caches} designs of the caches."
    )
