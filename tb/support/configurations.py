"""What each configuration of config/GranuleConfig implements, as the golden model needs to know it:
the only place of the test bench that says so. tb/soak/test_features.py holds it against the ID
registers of the RTL."""

from dataclasses import dataclass, replace

from model import Features


@dataclass(frozen=True)
class Configuration:
    """walk_cache: table entries are kept, so that a walk may start below the first table. unit:
    the MMU of this configuration is generated alone; otherwise another one has the same."""

    features: Features
    walk_cache: bool = False
    unit: bool = True


BASE = Features(pamax=36, hafdbs=0, ttst=False)

CONFIGURATIONS = {
    "teaching": Configuration(BASE),
    "ulx3s": Configuration(BASE, unit=False),
    "wide": Configuration(replace(BASE, pamax=48, ttst=True)),
}


def features_of(config: str) -> Features:
    return CONFIGURATIONS[config].features


def conformance_configs(needed: Features) -> list[str]:
    """Configurations on which a vector file for `needed` must give the same answers: the same
    addresses and levels, and at least the formats."""

    def serves(have: Features) -> bool:
        same = ("pamax", "lva", "lpa2", "ttst")
        return (
            all(getattr(have, name) == getattr(needed, name) for name in same)
            and have.d128 >= needed.d128
            and have.sv32 >= needed.sv32
        )

    return [name for name, c in CONFIGURATIONS.items() if c.unit and serves(c.features)]
