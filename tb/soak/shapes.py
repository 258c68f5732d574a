"""The shapes of translation that are soaked: an entry format with a granule."""

from dataclasses import dataclass

from model import Features


@dataclass(frozen=True)
class Shape:
    """format: vmsa64, d128 or sv32; granule: log2 of its bytes. `mixed` is all of them in turn."""

    name: str
    format: str
    granule: int

    @property
    def d128(self) -> bool:
        return self.format == "d128"

    @property
    def sv32(self) -> bool:
        return self.format == "sv32"

    @property
    def mixed(self) -> bool:
        return self.format == "mixed"

    def present(self, features: Features) -> bool:
        """Does this implementation have it?"""
        if self.mixed:
            return len(features.granules) > 1
        return {"vmsa64": True, "d128": features.d128, "sv32": features.sv32}[self.format] and (
            self.granule in features.granules
        )


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
        Shape("mixed", "mixed", 0),
    )
}
