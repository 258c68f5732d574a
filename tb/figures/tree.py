"""The data cache as the device tree describes it, which the machine's firmware hands to a kernel: a
source of its geometry that is no register of the cache (document 002's objection)."""

import re
from collections.abc import Iterator

from granule.figures import FIGURE, Figure
from support.root import ROOT

TREE = ROOT / "build" / "include" / "granule_teaching.dts"
BYTES, WAY = "H2.tree", "H2.tree-way"
REGISTERS, TIMING = "H2.7", "A-9"  # bytes, and lines of one set at which misses begin


def cell(text: str, name: str) -> int:
    return int(re.search(rf"\bd-cache-{name} = <(\d+)>;", text)[1])


def described() -> Iterator[Figure]:
    """Bytes of the data cache, and of one of its ways."""
    text = TREE.read_text()
    way = cell(text, "sets") * cell(text, "block-size")
    for identity, value in ((BYTES, cell(text, "size")), (WAY, way)):
        what = "the data cache in the device tree" + (", a way" if identity == WAY else "")
        yield Figure(identity, "4k", FIGURE, float(value), "bytes", what, "teaching")


def contradictions(values: dict[str, float]) -> float | None:
    """How many of the three sources say another size than the registers; None: one is missing."""
    if not {BYTES, WAY, REGISTERS, TIMING} <= values.keys():
        return None
    timed = (values[TIMING] - 1) * values[WAY]
    return float(sum(size != values[REGISTERS] for size in (values[BYTES], timed)))
