"""What an implementation can do: the ID registers' content as the model needs it (spec 1.7)."""

from dataclasses import dataclass, replace

from .bits import field

OUTPUT_SIZES = (32, 36, 40, 42, 44, 48, 52, 56)


@dataclass(frozen=True)
class Features:
    """One implementation. The default is the suggestion of spec 11 for a 48-bit walker.

    pamax           implemented output size (PARange); 52 and more imply FEAT_LPA.
    lva, lva3       TnSZ down to 12, and (D128 only) down to 9.
    lpa2            TCR.DS may select the 52-bit descriptor layout for 4K and 16K.
    ttst            small tables: TnSZ up to 48 (47 for 64K).
    hafdbs          0 none, 1 access flag, 2 access flag and dirty state by hardware.
    hpds, e0pd, epan   TCR.HPDn, TCR.E0PDn and SCTLR.EPAN work.
    d128            128-bit descriptors may be selected (TCR2.D128).
    sv32, rv64      satp.MODE may select Sv32; Sv39 and, if a half is as wide, Sv48.
    granules        log2 of the page sizes that TCR.TGn may select; codes of others, and reserved
                    ones, select the first (choice).
    asid_bits       16 or 8; with 8, TCR.AS means nothing.
    va_bits         widest half, where that is below 48 bits: TnSZ is at least 64 less this.
    use_contiguous  translate with the contiguous group's span (allowed, not required).
    wide_group_faults  a group wider than the VA range faults; False: its hint is ignored (4.6).
    atomic_ok       the memory that holds the tables can do the atomic update.
    at_updates      an address-translation instruction sets the access flag (choice: no).
    """

    pamax: int = 48
    lva: bool = False
    lva3: bool = False
    lpa2: bool = False
    ttst: bool = True
    hafdbs: int = 2
    hpds: bool = True
    e0pd: bool = True
    epan: bool = True
    d128: bool = False
    sv32: bool = False
    rv64: bool = False
    granules: tuple[int, ...] = (12, 14, 16)
    asid_bits: int = 16
    va_bits: int = 48
    use_contiguous: bool = False
    wide_group_faults: bool = True
    atomic_ok: bool = True
    at_updates: bool = False

    def __post_init__(self):
        if self.pamax not in OUTPUT_SIZES:
            raise ValueError(f"pamax is {self.pamax}; the architecture knows {OUTPUT_SIZES}")
        if self.lpa2 and not self.lva:
            raise ValueError("lpa2 needs lva (FEAT_LPA2 requires FEAT_LVA); set both")
        if not 39 <= self.va_bits <= 48:
            raise ValueError(f"va_bits is {self.va_bits}; use 39 to 48 (more: lva, lva3)")
        if self.va_bits < 48 and self.lva:
            raise ValueError(f"va_bits is {self.va_bits} with lva, which makes halves of 52 bits")

    @property
    def modes(self) -> tuple[str, ...]:
        """Of satp that are there, beside Bare."""
        rv64 = ("sv39",) + ("sv48",) * (self.va_bits >= 48)
        return ("sv32",) * self.sv32 + rv64 * self.rv64

    @property
    def lpa(self) -> bool:
        return self.pamax >= 52


# What a name in the `features` list of a vector file adds.
ADDS = {
    "base": {},
    "lpa": {"pamax": 52},
    "lpa2": {"pamax": 52, "lva": True, "lpa2": True},
    "lva": {"lva": True},
    "ttst": {"ttst": True},
    "af": {"hafdbs": 1},
    "hafdbs": {"hafdbs": 2},
    "d128": {"d128": True, "pamax": 56, "lva": True, "lva3": True},
    "contiguous": {"use_contiguous": True},
    "sv32": {"sv32": True},
    "rv64": {"rv64": True, "pamax": 56},
}


def from_names(names) -> Features:
    """Features of a vector file. Raises ValueError for a name that has no meaning here."""
    features = Features()
    for name in names:
        if name not in ADDS:
            known = ", ".join(sorted(ADDS))
            raise ValueError(f"feature '{name}' is not known; known are {known}")
        features = replace(features, **ADDS[name])
    return features


def names_of(features: Features) -> list[str]:
    """Names that give these features, as far as a vector file can say it."""
    names = ["base"] + ["ttst"] * features.ttst + ["lpa"] * (features.pamax == 52)
    names += ["lpa2"] if features.lpa2 else ["lva"] * features.lva
    names += ["hafdbs"] * (features.hafdbs == 2) + ["af"] * (features.hafdbs == 1)
    names += ["d128"] * features.d128 + ["contiguous"] * features.use_contiguous
    return names + ["sv32"] * features.sv32 + ["rv64"] * features.rv64


def decode(*, mmfr0: int, mmfr1: int, mmfr2: int, mmfr3: int) -> dict:
    """What software learns from ID registers: fields of [Features], by name; those that none of
    them tells are missing."""
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
