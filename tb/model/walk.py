"""One translation from start to end, in the numbered steps of spec 4.7."""

from dataclasses import dataclass, field, replace

from .access import Access
from .bits import align_down, bit, mask
from .bits import field as bits
from .check import Found, check
from .descriptor import Type
from .faults import Fault, FaultKind, TranslationFault
from .features import Features
from .memory import BusError, Memory, NoSwap
from .permissions import Hierarchy, Rights
from .regime import Regime, check_range, regime_of, table_base, top_bit
from .registers import (
    DEVICE_NGNRNE,
    NORMAL_NC,
    NORMAL_WB,
    NORMAL_WT_RA,
    Registers,
    is_device,
    is_non_cacheable,
)

OUTER_SHAREABLE = 0b10


@dataclass(frozen=True)
class Translation:
    """Outcome of an access that translated.

    span    log2 of the bytes that the same answer covers, contiguous group included.
    sh      00 non-, 10 outer, 11 inner shareable.
    rights  of the EL that asked.
    level   None with the MMU off.
    reads   addresses of the descriptors read; changed: words that the walker wrote.
    """

    pa: int
    attr: int
    sh: int
    level: int | None
    span: int
    granule: int
    rights: Rights
    ng: bool
    asid: int
    reads: tuple[int, ...] = ()
    changed: tuple[tuple[int, int], ...] = ()


class Restart(Exception):
    """A compare-and-swap lost: the whole translation starts again (6.4)."""


def translate(
    registers: Registers, features: Features, memory: Memory, access: Access
) -> Translation | Fault:
    """Translates one access; never raises for anything that software may have programmed."""
    registers = implemented(registers, features)
    walk = _Walk(registers, features, memory, access)
    try:
        return walk.run() if registers.translating else _flat(registers, features, access)
    except TranslationFault as fault:
        # An atomic reports a write only where its read alone would not have faulted (5.4, 7.3).
        write_only = access.kind.writes and not access.kind.reads
        wnr = write_only if fault.wnr is None else fault.wnr
        wnr = wnr or access.kind.address_translation
        return Fault(
            fault.kind, fault.level, wnr, access, tuple(walk.reads), fault.dirty, walk.leaf_span
        )


def implemented(registers: Registers, features: Features) -> Registers:
    """Registers that an implementation leaves out read as zero (1.7, 1.8)."""
    if registers.satp and registers.mode not in features.modes:
        registers = replace(registers, satp=0)
    if not features.d128:
        registers = replace(registers, tcr2=0, pir=0, pire0=0, mair2=0)
    return registers


def _flat(registers: Registers, features: Features, access: Access) -> Translation:
    """SCTLR.M = 0 (1.3)."""
    top = top_bit(registers.half(access.va), access)
    if bits(access.va, top, features.pamax):
        raise TranslationFault(FaultKind.ADDRESS_SIZE, 0)
    if not access.aligned and not access.kind.fetches:
        raise TranslationFault(FaultKind.ALIGNMENT, 0)  # data is Device memory
    attr = DEVICE_NGNRNE
    if access.kind.fetches:
        attr = NORMAL_WT_RA if registers.icache_on else NORMAL_NC
    return Translation(
        pa=bits(access.va, 55, 0), attr=attr, sh=OUTER_SHAREABLE, level=None, span=features.pamax,
        granule=12, rights=Rights(True, True, True), ng=False,
        asid=registers.asid & mask(features.asid_bits),
    )  # fmt: skip


@dataclass
class _Walk:
    """A translation under way."""

    registers: Registers
    features: Features
    memory: Memory
    access: Access
    reads: list[int] = field(default_factory=list)
    leaf_span: int | None = None  # of the leaf that was found

    def run(self) -> Translation:
        registers, features = self.registers, self.features
        regime = regime_of(registers, features, registers.half(self.access.va))
        check_range(regime, features, self.access)
        base = table_base(regime)
        while True:
            try:
                return self.finish(regime, self.descend(regime, base))
            except Restart:
                continue

    def read(self, address: int, level: int, size: int) -> int:
        self.reads.append(address)
        try:
            return self.memory.read(address, size)
        except BusError:
            raise TranslationFault(FaultKind.EXTERNAL_ABORT_ON_WALK, level) from None

    def descend(self, regime: Regime, base: int) -> Found:
        """Steps 3 to 6: from the first table to the leaf. An entry outside of the output size is a
        fault of what led to its table; a table of 128-bit descriptors may lie there in part."""
        self.leaf_span = None
        above = 0  # the level of the entry that led here; of a register: 0
        g, fmt, va = regime.geometry, regime.format, self.access.va
        level, index = g.start_level, g.first_index(va)
        hierarchy, disch = Hierarchy(), regime.half.disch
        ignored = regime.half.hpd and self.features.hpds
        use_tables = not (ignored or regime.d128 or regime.riscv or self.registers.pie)
        while True:
            address = base | index << g.entry_log2
            if address >> regime.output_size:
                raise TranslationFault(FaultKind.ADDRESS_SIZE, above)
            entry = self.read(address, level, 1 << g.entry_log2)
            kind = fmt.classify(entry, level, g, regime.blocks)
            if kind is Type.INVALID:
                raise TranslationFault(FaultKind.TRANSLATION, level)
            if fmt.reserved_set(entry):
                raise TranslationFault(FaultKind.ADDRESS_SIZE, level)
            if kind is Type.LEAF:
                return Found(fmt.leaf(entry, level, g), entry, address, level, hierarchy, disch)
            table = fmt.table(entry, g)
            if use_tables:
                hierarchy = hierarchy.under(table)
            base, disch, above = table.address, table.disch, level
            level += 1 + table.skl
            index = g.index(va, level, table.skl)

    def span(self, regime: Regime, found: Found) -> int:
        """Span of the translation. A contiguous hint counts where the member lies in its place; a
        group wider than the VA range is a fault, or none (4.6). RISC-V's groups are no hints."""
        g, leaf = regime.geometry, found.leaf
        span = g.lsb(found.level)
        if regime.riscv:
            span += g.contiguous_log2(found.level) if leaf.contiguous else 0
        elif self.features.use_contiguous and leaf.contiguous and not found.disch:
            group = span + g.contiguous_log2(found.level)
            placed = bits(leaf.address ^ self.access.va, group - 1, span) == 0
            if group > g.input_size and self.features.wide_group_faults:
                raise TranslationFault(FaultKind.TRANSLATION, found.level)
            if group <= g.input_size and placed:
                span = group
        self.leaf_span = span
        return span

    def finish(self, regime: Regime, found: Found) -> Translation:
        """Steps 7 and 8: the leaf's checks in their order of priority, then the update."""
        registers, leaf, level = self.registers, found.leaf, found.level
        span = self.span(regime, found)
        pa = align_down(leaf.address, span) | bits(self.access.va, span - 1, 0)
        if pa >> regime.output_size:
            raise TranslationFault(FaultKind.ADDRESS_SIZE, level)
        rights, desired = check(registers, self.features, self.access, found, regime)
        changed = self.update(found, desired, 1 << regime.geometry.entry_log2)
        attr = NORMAL_WB if regime.riscv else registers.attributes(leaf.attr_index)
        sh = leaf.sh if leaf.sh is not None else regime.half.sh
        if is_device(attr) or is_non_cacheable(attr):
            sh = OUTER_SHAREABLE
        if is_device(attr) and self.access.kind.fetches:
            attr = NORMAL_NC  # DDI 0487 M.a.a B2.10.2; a fetch is never of Device memory
        forced_ng = not regime.riscv and bit(registers.tcr2, 18 if regime.half.upper else 17)
        return Translation(
            pa=pa, attr=attr, sh=sh, level=level, span=span, granule=regime.half.granule,
            rights=rights, ng=leaf.ng or bool(forced_ng),
            asid=registers.asid & mask(self.features.asid_bits),
            reads=tuple(self.reads), changed=changed,
        )  # fmt: skip

    def update(self, found: Found, desired: int, size: int) -> tuple[tuple[int, int], ...]:
        """Access flag and dirty state in one compare-and-swap (6.4)."""
        if desired == found.entry:
            return ()
        # Of an atomic, the read needs the access flag, and the write alone the dirty state (7.3).
        kind = self.access.kind
        wnr = kind.writes and (not kind.reads or bool(bit(found.entry, 10)))
        unsupported = TranslationFault(FaultKind.UNSUPPORTED_UPDATE, 0, wnr=wnr)
        if not self.features.atomic_ok:
            raise unsupported
        try:
            held = self.memory.compare_and_swap(found.address, found.entry, desired, size)
        except NoSwap:
            raise unsupported from None
        except BusError:
            kind = FaultKind.EXTERNAL_ABORT_ON_WALK
            raise TranslationFault(kind, found.level, wnr=wnr) from None
        if held != found.entry:
            raise Restart
        return ((found.address, desired & mask(64)),)


def par(outcome: Translation | Fault, *, d128: bool = False) -> int:
    """PAR_EL1 (spec 1.5; DDI 0487, D24.2.130): how an address-translation instruction reports.
    TCR2.D128 chooses its form, for a fault too. Non-secure state, no RME: NS and bit 11 read 1."""
    form = int(d128) << 64 | 1 << 11
    if isinstance(outcome, Fault):
        return form | int(outcome.dirty) << 15 | outcome.status << 1 | 1
    page = outcome.pa >> 12 << 76 if d128 else align_down(outcome.pa & mask(52), 12)
    return form | outcome.attr << 56 | page | 1 << 9 | outcome.sh << 7
