"""The named bins of functional coverage: what each checked access belongs to."""

from dataclasses import replace
from typing import NamedTuple

from model import Fault, Translation
from model.faults import FaultKind
from model.regime import regime_of


class Bin(NamedTuple):
    """start: level of the first table, None where nothing was read because the state or the
    address is illegal. level: where the walk ended. kind: what it ended at: page, block, contiguous
    (a group of either), entry (not a leaf), or none. result: ok, or the fault's name; `update`
    marks a fault of the descriptor's update."""

    format: str
    granule: int
    start: int | None
    level: int | None
    kind: str
    result: str
    access: str
    el: int


RESULT = {
    FaultKind.TRANSLATION: "translation",
    FaultKind.ADDRESS_SIZE: "address size",
    FaultKind.ACCESS_FLAG: "access flag",
    FaultKind.PERMISSION: "permission",
    FaultKind.EXTERNAL_ABORT_ON_WALK: "external abort",
    FaultKind.UNSUPPORTED_UPDATE: "unsupported update",
}


def bin_of(features, judged) -> Bin:
    """The bin of a judged access (soak.judge.Judged)."""
    access, outcome = judged.step.access, judged.expected
    registers = judged.registers
    if registers.satp and registers.mode not in features.modes:
        registers = replace(registers, satp=0)
    regime = regime_of(registers, features, registers.half(access.va))
    format_ = regime.riscv.name if regime.riscv else "d128" if regime.d128 else "vmsa64"
    common = (format_, regime.half.granule)
    tail = (access.kind.value, access.el)
    g = regime.geometry
    fault = isinstance(outcome, Fault)
    result = RESULT[outcome.kind] if fault else "ok"
    if not fault and outcome.level is None:
        return Bin(*common, None, None, "off", result, *tail)
    if fault and not outcome.reads:
        return Bin(*common, None, None, "none", result, *tail)
    span = outcome.span
    level = outcome.level
    if fault and outcome.kind is FaultKind.UNSUPPORTED_UPDATE:
        level = _level_of(outcome, g, regime)
    if span is None:
        return Bin(*common, g.start_level, level, "entry", result, *tail)
    kind = "page" if level == 3 else "block"
    if span > g.lsb(level):
        kind = "contiguous"
    if fault and outcome.kind is FaultKind.EXTERNAL_ABORT_ON_WALK:
        result = "external abort of the update"
    return Bin(*common, g.start_level, level, kind, result, *tail)


def _level_of(outcome: Fault | Translation, g, regime) -> int:
    """The level of the leaf by its span, where the fault itself has none."""
    levels = range(-2, 4)
    exact = [n for n in levels if g.lsb(n) == outcome.span]
    if exact:
        return exact[0]
    [level] = [n for n in levels if g.lsb(n) + g.contiguous_log2(n) == outcome.span]
    return level
