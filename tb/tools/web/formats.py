"""What the page knows of formats and registers: fields from the sources of the RTL, geometry and
codes from the golden model. Written as one file of JavaScript; nothing of it is typed again."""

import json
import re

from model import geometry, registers
from model.faults import FaultKind, status_code
from model.tlbi import TG_OF_GRANULE, Kind
from support.root import ROOT

FORMAT = ROOT / "rtl" / "src" / "granule" / "format"
FIELD = r"(?:Some\()?BitField\((\d+)(?:, (\d+))?\)"
NAMES = {12: "4k", 14: "16k", 16: "64k"}
TNSZ = 16
SV32_SPANS = (12, 22)
# As the Arm ARM calls them, in the order of their bits; the key is the RTL's name.
LEAF = {
    "uxn": "UXN", "pxn": "PXN", "contiguous": "Contiguous", "dirty": "DBM", "notGlobal": "nG",
    "access": "AF", "shareability": "SH", "readOnly": "AP[2]", "el0": "AP[1]",
    "attrIndex": "AttrIndx",
}  # fmt: skip
TABLE = {"noWrite": "APTable[1]", "noEl0": "APTable[0]", "uxn": "UXNTable", "pxn": "PXNTable"}


def fields(text: str) -> dict[str, tuple[int, int]]:
    """name -> lowest bit and width, of what a piece of Scala declares, directly or by a name."""
    found = {
        name: (int(low), int(width or 1))
        for name, low, width in re.findall(rf"(\w+) = {FIELD}", text)
    }
    named = re.findall(r"(\w+) = (?:Some\()?(\w+)\)?,?$", text, re.M)
    return found | {name: found[of] for name, of in named if of in found}


def scala_object(name: str, file: str = "Registers.scala") -> str:
    text = (FORMAT / file).read_text()
    return re.search(rf"^object {name}\b.*?\n}}", text, re.M | re.S)[0]


def descriptor_fields() -> dict[str, dict[str, tuple[int, int]]]:
    text = scala_object("Vmsa64", "Vmsa64.scala").split("private val ds")[0]
    leaf, table = map(fields, text.split("tableFields ="))
    table_bit = int(re.search(r"kind = TypeScheme\.TableBit\(BitField\((\d+)\)\)", text)[1])
    return {
        "leaf": {name: leaf[key] for key, name in LEAF.items()},
        "table": {name: table[key] for key, name in TABLE.items()},
        "shape": {"valid": leaf["valid"], "table": (table_bit, 1)},
    }


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


def halves(text: str) -> dict[str, list[tuple[int, int]]]:
    """Fields that each half of the address space has."""
    found = re.findall(r"(\w+) = HalfField\((.*)\)", text)
    return {
        name: [(int(low), int(width or 1)) for low, width in re.findall(FIELD, both)]
        for name, both in found
    }


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
    tcr = scala_object("Tcr")
    return {
        "granules": {name: granule(log2) for log2, name in NAMES.items()},
        "tnsz": TNSZ,
        "fields": descriptor_fields(),
        "tcr": fields(tcr),
        "tcrHalves": halves(tcr),
        "sctlr": fields(scala_object("Sctlr")),
        "tlbi": fields(scala_object("TlbiOperand")),
        "ttbrAsid": fields(scala_object("Ttbr"))["asid"],
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
