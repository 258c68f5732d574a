"""Where a field of a register, an operand or a command lies is written down once, in
arch/Registers.scala (of the core's own registers in cpu/CsrFields.scala, of a descriptor in its
format's file, of an entry of the hashed table in options/HashedEntry.scala). The rest of the RTL
names the field. This looks at the Scala text."""

import re
from collections.abc import Iterator
from pathlib import Path

from support.run import ROOT

RTL = ROOT / "rtl/src/granule"
HOMES = [
    RTL / f"{p}.scala"
    for p in ("arch/Registers", "device/DeviceFields", "options/HashedEntry", "cpu/CsrFields")
]
NAMES = ("Vmsa", "D128", "RiscV")
FORMATS = [RTL / "arch" / f"{name}.scala" for name in NAMES]

# Whatever these folders index by a literal is a register's bit, but for what comes next.
TRANSLATION = ("arch", "mmu", "options", "ip")
OTHERS = {
    *("va", "differ"),  # addresses: VA[55] chooses the half, VA[63:56] is the top byte
    *("any", "first", "protects"),  # pairs, in MicroTlb
    *("granules", "size", "resize", "log2Up"),  # a set, and functions
}
# Everywhere, these are registers, and the words by which software writes one.
REGISTERS = re.compile(r"^(tcr2?|sctlr|ttbr\w*|mair2?|pire?0?|satp|xtvec|par|esr|status|PWDATA)$")
WORDS = {"operand": (*TRANSLATION, "cpu"), "writeData": TRANSLATION, "w": ("cpu",)}
# `name(3)`, `name(7 downto 4)`, `name(4, 2 bits)`, `(a ? b | c)(7 downto 4)`
INDEX = re.compile(r"(\.?)(\w+|\))\(\s*(\d+)(?:\s+downto\s+(\d+)|\s*,\s*\d+\s+bits?)?\s*\)")
CODES = re.compile(r'''B"[01]{6}"''')
PLACES = re.compile(r"""BitField\(\s*\d|RegisterField\([^,()]+,\s*\d|fieldAt\(\s*\d""")


def sources() -> list[Path]:
    return sorted(p for p in RTL.glob("**/*.scala") if p not in HOMES)


def code(text: str) -> str:
    """Without comments and what is between quotes, line for line."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r'//.*|(?<!\bB)"(?:\\.|[^"\\\n])*"', '""', text)


def is_register_bit(match: re.Match, folder: str) -> bool:
    """Whether `name(literal)` takes a field out of a register. Words of 32 bits are none."""
    member, name, high, low = match.groups()
    if low and int(low) % 32 == 0 and (int(high) + 1) % 32 == 0:
        return False
    if REGISTERS.match(name) or folder in WORDS.get(name, ()):
        return True
    bare = not member and (name == ")" or name[0].islower())
    return folder in TRANSLATION and bare and name not in OTHERS


def literals(text: str, folder: str, *, is_format: bool = False) -> Iterator[str]:
    """Lines that hold a register's bit, or a fault's status code, as a literal."""
    for line in code(text).splitlines():
        bits = any(is_register_bit(m, folder) for m in INDEX.finditer(line))
        places = not is_format and PLACES.search(line)
        if bits or places or CODES.search(line):
            yield line.strip()


def test_no_bit_of_a_register_is_a_literal() -> None:
    found = {
        str(path.relative_to(RTL)): list(
            literals(path.read_text(), path.parent.name, is_format=path in FORMATS)
        )
        for path in sources()
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


# Lines as they were before the fields had names.
OF_OLD = [
    ("mmu", "io.invalidate.cmd.ds := io.context.tcr(59) || io.context.tcr2(5)"),
    ("mmu", "val bare = !io.satp(31)"),
    ("mmu", "par(63 downto 56) := attributes"),
    ("mmu", 'RegisterField("asid", 48, 16, "ASID")'),
    ("mmu", "val full = (a1 ? context.ttbr1 | context.ttbr0)(63 downto 48)"),
    ("mmu", "half.tnsz := field(BitField(0, 6), BitField(16, 6)).asUInt"),
    ("cpu", "when(satp(31)) {"),
    ("cache", 'def busError: Bits = B"010000"'),
]


def test_what_it_finds() -> None:
    assert [line for folder, line in OF_OLD if not list(literals(line, folder))] == []
