"""The shapes of translation that are soaked: an entry format with a granule."""

from dataclasses import dataclass

from model import Features
from model.riscv import SCHEMES, Scheme


@dataclass(frozen=True)
class Shape:
    """format: vmsa64, d128 or a scheme of RISC-V; granule: log2 of its bytes. `mixed` is all of
    them in turn. Of `napot`, most leaves are groups; the scheme is one that has groups."""

    name: str
    format: str
    granule: int

    @property
    def d128(self) -> bool:
        return self.format == "d128"

    @property
    def riscv(self) -> Scheme | None:
        return SCHEMES.get(self.format)

    @property
    def mixed(self) -> bool:
        return self.format == "mixed"

    @property
    def napot(self) -> bool:
        return self.format == "napot"

    @property
    def single(self) -> bool:
        """One format, whose bins of coverage are its own."""
        return not (self.mixed or self.napot)

    def present(self, features: Features) -> bool:
        """Does this implementation have it?"""
        if self.mixed:
            return len(features.granules) > 1
        formats = {"vmsa64", *features.modes} | ({"d128"} if features.d128 else set())
        if features.rv64:
            formats.add("napot")
        return self.format in formats and self.granule in features.granules


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("4k", "vmsa64", 12),
        Shape("16k", "vmsa64", 14),
        Shape("64k", "vmsa64", 16),
        Shape("4k-d128", "d128", 12),
        Shape("16k-d128", "d128", 14),
        Shape("64k-d128", "d128", 16),
        Shape("sv32", "sv32", 12),
        Shape("sv39", "sv39", 12),
        Shape("sv48", "sv48", 12),
        Shape("svnapot", "napot", 12),
        Shape("mixed", "mixed", 0),
    )
}
