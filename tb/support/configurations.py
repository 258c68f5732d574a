"""What each configuration of soc/GranuleConfig implements, as the golden model needs to know it:
the only place of the test bench that says so. campaigns/soak/test_features.py holds it against the
ID registers of the RTL."""

from dataclasses import dataclass, replace

from model import Features


@dataclass(frozen=True)
class Configuration:
    """walk_cache: table entries are kept, so that a walk may start below the first table. unit:
    the worked examples are played on the MMU of this configuration."""

    features: Features
    walk_cache: bool = False
    unit: bool = True


BASE = Features(pamax=36, hafdbs=2, ttst=False, sv32=True, use_contiguous=True,
                wide_group_faults=False)  # fmt: skip
VMSA48 = replace(BASE, pamax=48, ttst=True)
WIDE = replace(BASE, pamax=56, ttst=True, lva=True, lva3=True, lpa2=True, d128=True,
               rv64=True)  # fmt: skip
FIXED = replace(BASE, sv32=False)
BARE = replace(BASE, sv32=False, hafdbs=0, use_contiguous=False, asid_bits=8)

CONFIGURATIONS = {
    "minimal": Configuration(replace(BARE, granules=(12,), va_bits=39), unit=False),
    "small": Configuration(BARE, unit=False),
    "fixed4k": Configuration(replace(FIXED, granules=(12,)), walk_cache=True, unit=False),
    "fixed16k": Configuration(replace(FIXED, granules=(14,)), walk_cache=True, unit=False),
    "fixed64k": Configuration(replace(FIXED, granules=(16,)), walk_cache=True, unit=False),
    "teaching": Configuration(BASE, walk_cache=True),
    "teaching_dma": Configuration(BASE, walk_cache=True, unit=False),
    "ulx3s": Configuration(BASE, walk_cache=True, unit=False),
    "vmsa48": Configuration(VMSA48, walk_cache=True),
    "vmsa48_nocache": Configuration(VMSA48),
    # No examples: those above have the same formats.
    "vmsa48_main": Configuration(VMSA48, walk_cache=True, unit=False),
    "teaching_main": Configuration(BASE, walk_cache=True, unit=False),
    "ulx3s_main": Configuration(BASE, walk_cache=True, unit=False),
    # A probe of the hashed table reads what the judge of reads does not know.
    "vmsa48_hashed": Configuration(VMSA48, walk_cache=True, unit=False),
    "teaching_hashed": Configuration(BASE, walk_cache=True, unit=False),
    "wide": Configuration(WIDE, walk_cache=True),
    "wide_nocache": Configuration(WIDE),
}


# Of docs/invalidation.md, which compares them; no campaign takes them from here.
COMPARED = {"blocking64": VMSA48}

# From the acceptance of an invalidation to its completion, both included, whatever it covers.
INVALIDATION_CYCLES = 4
# Of a main TLB, from a miss of the micro TLB to the answer.
MAIN_HIT_CYCLES = 4


def features_of(config: str) -> Features:
    return COMPARED[config] if config in COMPARED else CONFIGURATIONS[config].features


def conformance_configs(needed: Features) -> list[str]:
    """Configurations on which a vector file for `needed` must give the same answers: the same
    addresses and levels, and at least the formats."""

    def serves(have: Features) -> bool:
        same = ("lva", "lpa2", "ttst")
        return (
            all(getattr(have, name) == getattr(needed, name) for name in same)
            and min(have.pamax, 52) == min(needed.pamax, 52)  # 56 bits only with D128
            and have.d128 >= needed.d128
            and have.sv32 >= needed.sv32
            and have.rv64 >= needed.rv64
        )

    return [name for name, c in CONFIGURATIONS.items() if serves(c.features)]
