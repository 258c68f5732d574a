"""All crosses of functional coverage for one shape, and why some of them cannot be reached.

The cross is: start level x level where the walk ended x what it ended at x result x access x EL.
"""

from collections.abc import Iterator
from itertools import product

from campaigns.coverage.bins import Bin
from cases.shapes import Shape
from model import Features
from model.geometry import block_levels, geometry, tnsz_limits

LEVELS = range(-2, 4)
ACCESSES = ("r", "w", "x", "rw")
OF_ENTRY = ("translation", "address size", "external abort")
UPDATES = ("external abort of the update", "unsupported update")
OF_LEAF = ("ok", "address size", "access flag", "permission", *UPDATES)
WITHOUT_READ = (("off", "ok"), ("none", "translation"), ("none", "address size"))
LEAVES = ("block", "page", "contiguous")


def crosses(shape: Shape) -> Iterator[Bin]:
    """Every combination, reachable or not."""
    actors = list(product(ACCESSES, (0, 1)))
    common = (shape.format, shape.granule)
    for kind, result in WITHOUT_READ:
        yield from (Bin(*common, None, None, kind, result, *actor) for actor in actors)
    for start, level in product(LEVELS, LEVELS):
        for result in OF_ENTRY:
            yield from (Bin(*common, start, level, "entry", result, *actor) for actor in actors)
        for kind, result in product(LEAVES, OF_LEAF):
            yield from (Bin(*common, start, level, kind, result, *actor) for actor in actors)


class Reach:
    """What a shape can reach with some features."""

    def __init__(self, shape: Shape, features: Features):
        self.shape, self.features = shape, features
        self.sizes: dict[int, int] = {}  # start level -> widest input address
        if shape.riscv:
            g = shape.riscv.geometry
            self.sizes[g.start_level] = g.input_size
            self.leaves = {*g.levels}
            return
        lpa2 = features.lpa2 and shape.granule != 16 and not shape.d128
        low, high = tnsz_limits(shape.granule, features, ds=lpa2, d128=shape.d128)
        for tnsz, skl in product(range(low, high + 1), range(4) if shape.d128 else (0,)):
            level = geometry(shape.granule, tnsz, shape.d128, skl).start_level
            if level <= 3:
                self.sizes[level] = max(self.sizes.get(level, 0), 64 - tnsz)
        if shape.d128:
            self.leaves = set(range(0 if shape.granule == 12 else 1, 4))
        else:
            self.leaves = {*block_levels(shape.granule, ds=lpa2, lpa=features.lpa), 3}

    def unreachable(self, b: Bin) -> str | None:
        """Why nothing can hit this bin; None if something can."""
        if b.start is None:
            return self._without_read(b)
        if b.start not in self.sizes:
            return "no legal TnSZ (nor skip level) starts at this level"
        if b.level < b.start:
            return "a walk does not go up"
        if b.kind == "entry":
            return self._entry(b)
        return self._leaf(b)

    def _without_read(self, b: Bin) -> str | None:
        riscv = self.shape.riscv
        if riscv and (b.kind, b.result) != ("none", "translation"):
            return "no other check comes before the first read; Bare is the Arm registers' matter"
        if riscv and not riscv.signed:
            return "requesters of Sv32 have 32 bits"
        return None

    def _entry(self, b: Bin) -> str | None:
        if b.result != "address size":
            return None
        if self.shape.riscv:
            return self._page_number()
        if b.level == 3 and (self.shape.format, self.shape.granule) != ("vmsa64", 16):
            return "the last level holds no table address"
        if b.level == 3 and self.features.lpa:
            return "with 52-bit output bits 15:12 are address bits, and the last level has no table"
        return None

    def _leaf(self, b: Bin) -> str | None:
        if (b.kind == "page") != (b.level == 3) and b.kind != "contiguous":
            return "leaves of level 3 are pages, those above are blocks"
        if b.level not in self.leaves:
            return "the format has no leaves at this level"
        if b.kind == "contiguous":
            reason = self._contiguous(b)
            if reason:
                return reason
        if b.result in UPDATES and self.shape.riscv:
            return "hardware does not update RISC-V's entries"
        if b.result in UPDATES and not self.features.hafdbs:
            return "hardware does not update descriptors in this configuration"
        if b.result == "address size" and self.shape.riscv:
            return self._page_number()
        return None

    def _page_number(self) -> str | None:
        wide = self.features.pamax < self.shape.riscv.output
        return None if wide else "a PPN fits in the output size"

    def _contiguous(self, b: Bin) -> str | None:
        if not self.features.use_contiguous:
            return "this configuration ignores the contiguous hint"
        riscv = self.shape.riscv
        g = riscv.geometry if riscv else geometry(self.shape.granule, 32, self.shape.d128)
        group = g.contiguous_log2(b.level)
        if not group:
            return "the hint counts as 0 at this level"
        if g.lsb(b.level) + group > self.sizes[b.start]:
            return "the group is wider than any address range that starts at this level"
        return None
