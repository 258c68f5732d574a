"""ID registers to features: what software learns about an implementation (spec 1.7)."""

from .bits import field
from .features import OUTPUT_SIZES


def decode(*, mmfr0: int, mmfr1: int, mmfr2: int, mmfr3: int) -> dict:
    """Fields of [Features], by name; those that no ID register tells are missing."""
    large4, large16 = field(mmfr0, 31, 28) == 1, field(mmfr0, 23, 20) == 2
    granules = [12] * (field(mmfr0, 31, 28) != 15) + [14] * (field(mmfr0, 23, 20) != 0)
    va_range = field(mmfr2, 19, 16)
    return {
        "pamax": OUTPUT_SIZES[field(mmfr0, 3, 0)],
        "granules": (*granules, *[16] * (field(mmfr0, 27, 24) == 0)),
        "asid_bits": 16 if field(mmfr0, 7, 4) == 2 else 8,
        "lpa2": large4 or large16,
        "lva": va_range >= 1,
        "lva3": va_range >= 2,
        "ttst": field(mmfr2, 31, 28) == 1,
        "hafdbs": field(mmfr1, 3, 0),
        "hpds": field(mmfr1, 15, 12) >= 1,
        "epan": field(mmfr1, 23, 20) >= 3,
        "e0pd": field(mmfr2, 63, 60) == 1,
        "d128": field(mmfr3, 35, 32) == 1,
    }
