"""Tables to walk: made up for one address, or read from a file of descriptors."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from granule.golden import model, part
from granule.translation import access_to, check_registers, features_of

fields, regimes, tables = part("fields"), part("regime"), part("tables")

GRANULES = {"4k": 12, "16k": 14, "64k": 16}  # log2 of the bytes
ROOT, OUTPUT = 0x40000000, 0x80000000
FURTHER = 0x100000  # from the first table to the next one
OUTPUT_BITS = 30
PXN, UXN = 1 << 53, 1 << 54
LAST = 3  # level
DESCRIPTOR = re.compile(r"(0[xX][0-9a-fA-F]+)\s*[:=\s]\s*(0[xX][0-9a-fA-F]+)")


@dataclass(frozen=True)
class Machine:
    """Registers and the descriptors that they lead to, by address."""

    registers: model.Registers
    memory: dict[int, int]


def registers_for(granule: str = "4k", va_bits: int = 48, **others: int) -> model.Registers:
    """Both halves of the address space of the same size, on the same tables. `others` replace
    registers by name."""
    if granule not in GRANULES:
        raise ValueError(f"granule is '{granule}'; use {', '.join(GRANULES)}")
    if not 25 <= va_bits <= 48:
        raise ValueError(f"va_bits is {va_bits}; use 25 to 48")
    tnsz = 64 - va_bits
    tcr = fields.TCR(T0SZ=tnsz, T1SZ=tnsz, TG0=granule, TG1=granule, IPS="48bit")
    mair = fields.MAIR(Attr0="write-back")
    return model.Registers(**{"tcr": tcr, "ttbr0": ROOT, "ttbr1": ROOT, "mair": mair} | others)


def made_up(
    va: int,
    registers: model.Registers | None = None,
    *,
    granule: str = "4k",
    va_bits: int = 48,
    access: str = "read",
    block: bool = False,
    missing: int | None = None,
    read_only: bool = False,
    features: Iterable[str] = (),
) -> Machine:
    """Tables that map the address, for these registers or for this granule, or come as near to it
    as was asked for: `missing` leaves the entry of that level out. A program may make the access,
    unless it is a write to what is `read_only`."""
    registers = registers or registers_for(granule, va_bits)
    has = features_of(features)
    check_registers(registers, has)
    if not registers.translating:
        return Machine(registers, {})
    regime = regimes.regime_of(registers, has, registers.half(va))
    if regime.riscv or regime.d128 or regime.ds or regime.wide_base:
        raise ValueError(
            "tables are made up for 64-bit descriptors with 48-bit addresses only; "
            "give the descriptors (--memory FILE, or a mapping to granule.translate)"
        )
    try:
        regimes.check_range(regime, has, access_to(va, access, el=1))
    except regimes.TranslationFault:
        return Machine(registers, {})  # no table will be read
    g, root, memory = regime.geometry, regimes.table_base(regime), model.Memory()
    made = tables.Tables(memory, g, root, root + FURTHER)
    level = max(2, g.start_level) if block else LAST
    output = OUTPUT | va & ((1 << OUTPUT_BITS) - 1)
    code = access == "execute"
    permissions = tables.ap(0b11 if read_only or code else 0b01) | PXN | (0 if code else UXN)
    leaf = made.map(va, output, level, tables.AF | tables.NG | permissions)
    if missing is not None and missing >= g.start_level:
        memory.words[leaf if missing >= level else made.slot(va, missing)] = 0
    return Machine(registers, memory.words)


def memory_from(text: str, name: str = "memory") -> dict[int, int]:
    """Descriptors by address from lines such as `0x40000ff0: 0x40001003`; `#` begins a comment.
    Raises ValueError with the line that cannot be read."""
    words: dict[int, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        said = line.split("#")[0].strip()
        if not said:
            continue
        match = DESCRIPTOR.fullmatch(said)
        where = f"{name}, line {number}: '{said}'"
        if not match:
            raise ValueError(f"{where} is no descriptor; write 0x40000ff0: 0x40001003")
        address, value = (int(part, 16) for part in match.groups())
        if address % 8 or address >> 56:
            raise ValueError(f"{where}: an address is a multiple of 8 below 2^56")
        if value >> 64:
            raise ValueError(f"{where}: a word has 64 bits; write 128-bit entries as two words")
        if words.setdefault(address, value) != value:
            raise ValueError(f"{where}: 0x{address:x} has another value already")
    return words


def memory_of(path: Path) -> dict[int, int]:
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    return memory_from(text, str(path))
