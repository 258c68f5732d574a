"""What the page knows of formats and registers, from the golden model, as one file of JavaScript.
Fields of descriptors and operands stand here, as that has no names of them; tests compare both."""

import json

from model import geometry, registers
from model.faults import FaultKind, status_code
from model.fields import SCTLR, TCR, Layout
from model.tlbi import TG_OF_GRANULE, Kind

NAMES = {12: "4k", 14: "16k", 16: "64k"}
TNSZ = 16
SV32_SPANS = (12, 22)
Bits = tuple[int, int]  # the lowest one, and how many
# As the Arm ARM calls them, in the order of their bits.
LEAF = {
    "UXN": (54, 1), "PXN": (53, 1), "Contiguous": (52, 1), "DBM": (51, 1), "nG": (11, 1),
    "AF": (10, 1), "SH": (8, 2), "AP[2]": (7, 1), "AP[1]": (6, 1), "AttrIndx": (2, 3),
}  # fmt: skip
TABLE = {"APTable[1]": (62, 1), "APTable[0]": (61, 1), "UXNTable": (60, 1), "PXNTable": (59, 1)}
SHAPE = {"valid": (0, 1), "table": (1, 1)}
TLBI = {"va": (0, 44), "base": (0, 37), "num": (39, 5), "scale": (44, 2), "tg": (46, 2)}
ASID = (48, 16)  # of an operand and of a TTBR
HALVES = {"tnsz": "T{}SZ", "tg": "TG{}", "sh": "SH{}", "irgn": "IRGN{}", "orgn": "ORGN{}"}


def place(of: Layout, name: str) -> Bits:
    return of.fields[name].low, of.fields[name].width


def granule(log2: int) -> dict:
    g = geometry.geometry(log2, TNSZ)
    top = g.input_size - 1
    return {
        "log2": log2,
        "stride": g.stride,
        "levels": [
            {"level": n, "high": top if n == g.start_level else g.lsb(n) + g.stride - 1,
             "low": g.lsb(n)}
            for n in g.levels
        ],
        "blocks": sorted(geometry.block_levels(log2, ds=False, lpa=False)),
        "groups": geometry.CONTIGUOUS_LOG2[False][log2],
        "tg0": registers.TG0[log2],
        "tg1": registers.TG1[log2],
        "tgRange": TG_OF_GRANULE[log2],
    }  # fmt: skip


def spans() -> dict[str, list[int]]:
    """Sizes that entries have, as SizeClasses of the RTL numbers them."""
    leaves, tables = set(SV32_SPANS), {SV32_SPANS[1]}
    for log2 in NAMES:
        g = geometry.geometry(log2, TNSZ)
        for level in (3, *geometry.block_levels(log2, ds=False, lpa=False)):
            leaves |= {g.lsb(level), g.lsb(level) + g.contiguous_log2(level)}
        tables |= {g.lsb(level) for level in g.levels if level < 3}
    return {"tlb": sorted(leaves), "tables": sorted(tables)}


def faults() -> dict[int, str]:
    levelled = {
        FaultKind.ADDRESS_SIZE: "Address size fault",
        FaultKind.TRANSLATION: "Translation fault",
        FaultKind.ACCESS_FLAG: "Access flag fault",
        FaultKind.PERMISSION: "Permission fault",
        FaultKind.EXTERNAL_ABORT_ON_WALK: "Synchronous External abort on translation table walk",
    }
    return {
        status_code(kind, level): f"{name}, level {level}"
        for kind, name in levelled.items()
        for level in range(4)
    }


def collect(readings: dict[str, dict]) -> dict:
    sizes = spans()
    for name, reading in readings.items():
        for unit, known in sizes.items():
            codes = reading["spanCodes"][unit]
            if len(known) != codes + 1:
                raise ValueError(
                    f"{name}: entries of {unit} have {codes + 1} sizes, the geometry has {known}"
                )
    return {
        "granules": {name: granule(log2) for log2, name in NAMES.items()},
        "tnsz": TNSZ,
        "fields": {"leaf": LEAF, "table": TABLE, "shape": SHAPE},
        "tcr": {name: place(TCR, name.upper()) for name in ("as", "ha", "hd", "ips")},
        "tcrHalves": {
            name: [place(TCR, field.format(half)) for half in (0, 1)]
            for name, field in HALVES.items()
        },
        "sctlr": {name: place(SCTLR, name.upper()) for name in ("m", "c")},
        "tlbi": TLBI | {"asid": ASID},
        "ttbrAsid": ASID,
        "ipsBits": registers.IPS_BITS,
        "mairNormal": registers.NORMAL_WB,
        "kinds": {kind.name: int(kind) for kind in Kind},
        "faults": faults(),
        "spans": sizes,
        "reading": readings,
    }


def script(readings: dict[str, dict]) -> str:
    text = json.dumps(collect(readings), indent=1)
    return f"// Written by make web from the RTL and the golden model.\nconst FORMATS = {text};\n"
