"""What is decided about a leaf that was found: access flag, alignment, permission, and the update
that the access makes to the descriptor (spec 4.7 step 7, 5.4, chapter 6)."""

from dataclasses import dataclass

from .access import Access
from .descriptor import Format, Leaf
from .faults import FaultKind, TranslationFault
from .features import Features
from .permissions import Hierarchy, Rights, direct, indirect, risc_v, writable_clean
from .regime import Regime
from .registers import Registers, is_device


@dataclass(frozen=True)
class Found:
    """The leaf that a walk ended at."""

    leaf: Leaf
    entry: int
    address: int
    level: int
    hierarchy: Hierarchy
    disch: bool


def require(rights: Rights, access: Access, level: int) -> None:
    """Spec 5.4; an atomic that may not even read reports a read."""
    if access.kind.fetches and not rights.x:
        raise TranslationFault(FaultKind.PERMISSION, level, wnr=False)
    if access.kind.reads and not rights.r:
        raise TranslationFault(FaultKind.PERMISSION, level, wnr=False)
    if access.kind.writes and not rights.w:
        raise TranslationFault(FaultKind.PERMISSION, level, wnr=True)


def check(
    registers: Registers, features: Features, access: Access, found: Found, regime: Regime
) -> tuple[Rights, int]:
    """Raises the leaf's fault, or returns the rights of the EL and the descriptor as it should be
    after the access."""
    leaf, entry, level = found.leaf, found.entry, found.level
    ha = registers.ha and features.hafdbs >= 1 and not regime.riscv
    hd = ha and registers.hd and features.hafdbs >= 2
    if not leaf.af and not ha:
        raise TranslationFault(FaultKind.ACCESS_FLAG, level)
    device = not regime.riscv and is_device(registers.attributes(leaf.attr_index))
    if not access.aligned and device:
        raise TranslationFault(FaultKind.ALIGNMENT, level)
    pan = access.pan and access.el == 1 and not access.kind.fetches
    if regime.riscv:
        rights, clean = risc_v(leaf, access.el, pan=pan, mxr=access.mxr), leaf.not_dirty
    elif regime.d128 or registers.pie:
        rights = indirect(
            leaf.pi_index, access.el, pir=registers.pir, pire0=registers.pire0, pan=pan
        )
        clean = leaf.not_dirty
    else:
        epan = registers.epan and features.epan
        rights = direct(leaf, found.hierarchy, access.el, pan=pan, wxn=registers.wxn, epan=epan,
                        dirty_managed=hd)  # fmt: skip
        clean = writable_clean(leaf, dirty_managed=hd)
    require(rights, access, level)
    if access.kind.writes and clean and not hd:
        raise TranslationFault(FaultKind.PERMISSION, level, wnr=True, dirty=not regime.riscv)

    at = access.kind.address_translation
    desired = entry
    if not leaf.af and (not at or features.at_updates):
        desired |= 1 << Format.AF_BIT
    if access.kind.writes and clean and not at:
        desired &= ~(1 << Format.READ_ONLY_BIT)
    return rights, desired
