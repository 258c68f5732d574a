"""Permission arithmetic: direct (spec 5.2, 5.3), indirect (5.5), and that of RISC-V entries."""

from dataclasses import dataclass

from .descriptor import Leaf, Table


@dataclass(frozen=True)
class Hierarchy:
    """Table bits ORed over the walk (spec 5.2)."""

    aptable: int = 0
    uxntable: bool = False
    pxntable: bool = False

    def under(self, table: Table) -> "Hierarchy":
        """With one more table entry on the way."""
        return Hierarchy(
            self.aptable | table.aptable,
            self.uxntable or table.uxntable,
            self.pxntable or table.pxntable,
        )


@dataclass(frozen=True)
class Rights:
    """What one EL may do, PAN and WXN included."""

    r: bool
    w: bool
    x: bool

    def __str__(self) -> str:
        return "".join(
            c if on else "-" for c, on in zip("rwx", (self.r, self.w, self.x), strict=True)
        )


def writable_clean(leaf: Leaf, *, dirty_managed: bool) -> bool:
    """AP[2] = 1 only says "not yet written": hardware clears it on the first write (6.3)."""
    return dirty_managed and leaf.dbm and bool(leaf.ap & 0b10)


def direct(
    leaf: Leaf, tables: Hierarchy, el: int, *, pan: bool, wxn: bool, epan: bool, dirty_managed: bool
) -> Rights:
    """Rights of `el`. `pan`: PSTATE.PAN applies (EL1 data access)."""
    read_only = bool(leaf.ap & 0b10) and not writable_clean(leaf, dirty_managed=dirty_managed)
    el0_allowed = bool(leaf.ap & 0b01)
    pr, pw = True, not read_only
    ur, uw = el0_allowed, el0_allowed and not read_only
    if tables.aptable & 0b01:
        ur = uw = False
    if tables.aptable & 0b10:
        pw = uw = False
    px = not (leaf.pxn or tables.pxntable or uw)
    ux = not (leaf.uxn or tables.uxntable)
    if pan and (ur or uw or (epan and ux)):
        pr = pw = False
    r, w, x = (ur, uw, ux) if el == 0 else (pr, pw, px)
    return Rights(r, w, x and not (wxn and w))


# Nibble of PIR_EL1 / PIRE0_EL1 -> rights, Guarded Control Stack, WXN built in.
_R, _W, _X, _GCS, _WXN = 1, 2, 4, 8, 16
_NIBBLE = (
    0, _R, _X, _R | _X, 0, _R | _W, _R | _W | _X | _WXN, _R | _W | _X,
    _R, _R | _GCS, _R | _X, 0, _R | _W, 0, _R | _W | _X, 0,
)  # fmt: skip


def indirect(index: int, el: int, *, pir: int, pire0: int, pan: bool) -> Rights:
    """Rights of `el` for permission index `index`."""
    nibble0 = (pire0 >> (4 * index)) & 0xF
    el1, el0 = _NIBBLE[(pir >> (4 * index)) & 0xF], _NIBBLE[nibble0]
    if el1 & (_X | _GCS) and el0 & (_W | _GCS):
        el1 = el0 = 0
    if pan and nibble0 != 0:
        el1 &= ~(_R | _W)
    mine = el0 if el == 0 else el1
    if mine & _WXN and mine & _W:
        mine &= ~_X
    return Rights(bool(mine & _R), bool(mine & _W), bool(mine & _X))


def risc_v(leaf: Leaf, el: int, *, pan: bool, mxr: bool) -> Rights:
    """Rights of U-mode (EL0) or S-mode (EL1). `pan`: SUM = 0 applies to this data access. S-mode
    never executes user pages, whatever SUM says."""
    r, w, x, user = (bool(leaf.rights >> n & 1) for n in range(4))
    if el == 0:
        mine, executes = user, user
    else:
        mine, executes = not (user and pan), not user
    return Rights(mine and (r or (mxr and x)), mine and w, executes and x)
