#!/usr/bin/env python3
"""Translates an address as the MMU does and tells how, with pages of 4, 16 and 64 KiB.

Needs nothing but Python 3.11: this is the golden model that the hardware is tested against."""

import argparse
import re
import signal
import sys

if sys.version_info < (3, 11):  # noqa: UP036 (this runs before anything was set up)
    sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")

from model.access import Access, Kind
from model.examples import EXAMPLES, access_of, features_of, memory_of, name_of, registers_of
from model.explain import explain, size
from model.features import Features
from model.geometry import geometry
from model.memory import Memory
from model.registers import TG0_GRANULE, TG1_GRANULE, Registers
from model.tables import AF, NG, Tables, ap

GRANULES = {"4k": 12, "16k": 14, "64k": 16}
KINDS = {"read": Kind.READ, "write": Kind.WRITE, "execute": Kind.EXECUTE}
ROOT, TABLES, OUTPUT = 0x40000000, 0x40100000, 0x80000000
OUTPUT_BITS = 30
WRITE_BACK = 0xFF
PXN, UXN = 1 << 53, 1 << 54

EPILOG = """\
examples:
  python3 tb/walk.py 0x7f1234567abc                one address, three page sizes
  python3 tb/walk.py 0x1234567abc --va-bits 39     fewer address bits, fewer levels
  python3 tb/walk.py 0x7f1234567abc --block        mapped by a block: the walk ends earlier
  python3 tb/walk.py 0x7f1234567abc --missing 2    an invalid entry at level 2
  python3 tb/walk.py 0x7f1234567abc --read-only --access write
  python3 tb/walk.py A1                            a worked example, A1 to H8
  python3 tb/walk.py list                          their names

The tables are made for the address that you ask for. Which bits choose an entry, how many tables
are read and what a page or a block covers is what the Arm architecture says; where the tables and
the page lie was our choice."""


def number(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 64:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no address from 0 to 2^64 - 1; write 0x7f1234567abc"
        )
    return value


def va_bits(text: str) -> int:
    if not re.fullmatch(r"\d+", text) or not 25 <= int(text) <= 48:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of address bits from 25 to 48")
    return int(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address", help="a number, the name of a worked example, or `list`")
    parser.add_argument("--granule", choices=GRANULES, help="one page size instead of all three")
    parser.add_argument("--va-bits", type=va_bits, default=48, metavar="N",
                        help="size of the address space, 25 to 48 bits (default: 48)")  # fmt: skip
    parser.add_argument("--access", choices=KINDS, default="read", help="default: read")
    parser.add_argument("--block", action="store_true", help="map by a block of level 2")
    parser.add_argument("--missing", type=int, choices=range(4), metavar="LEVEL",
                        help="leave out the entry of this level, 0 to 3")  # fmt: skip
    parser.add_argument("--read-only", action="store_true", help="the mapping permits no stores")
    return parser.parse_args()


def registers_for(granule: int, bits: int) -> Registers:
    """Both halves of the address space, of the same size, on one set of tables."""
    tg0 = next(code for code, shift in TG0_GRANULE.items() if shift == granule)
    tg1 = next(code for code, shift in TG1_GRANULE.items() if shift == granule)
    tnsz = 64 - bits
    whole_output = 5 << 32  # 48 bits
    tcr = tnsz | tnsz << 16 | tg0 << 14 | tg1 << 30 | whole_output
    return Registers(tcr=tcr, ttbr0=ROOT, ttbr1=ROOT, mair=WRITE_BACK)


def tables_for(args: argparse.Namespace, va: int, granule: int) -> Memory:
    """Tables that map the address, or come as near to it as was asked for."""
    g = geometry(granule, 64 - args.va_bits)
    memory = Memory()
    tables = Tables(memory, g, ROOT, TABLES)
    level = max(2, g.start_level) if args.block else 3
    output = OUTPUT | va & ((1 << OUTPUT_BITS) - 1)
    code = args.access == "execute"
    permissions = ap(0b11 if args.read_only or code else 0b01) | PXN | (0 if code else UXN)
    leaf = tables.map(va, output, level, AF | NG | permissions)
    if args.missing is not None and args.missing >= g.start_level:
        memory.words[leaf if args.missing >= level else tables.slot(va, args.missing)] = 0
    return memory


def one_address(args: argparse.Namespace, va: int) -> None:
    features = Features(pamax=48)
    access = Access(va, KINDS[args.access], el=0)
    for name in [args.granule] if args.granule else GRANULES:
        granule = GRANULES[name]
        g = geometry(granule, 64 - args.va_bits)
        print(
            f"pages of {size(granule)}: {len(g.levels)} level{'s' * (len(g.levels) > 1)}, "
            f"{1 << g.stride} entries in a table, one last-level table maps "
            f"{size(granule + g.stride)}"
        )
        story, _ = explain(
            registers_for(granule, args.va_bits), features, tables_for(args, va, granule), access
        )
        print("\n".join(story), end="\n\n")


def worked_example(name: str) -> None:
    found = [e for e in EXAMPLES if name_of(e).lower() == name.lower()]
    if not found:
        sys.exit(
            f"'{name}' is neither an address nor a worked example; write 0x7f1234567abc, or A1; "
            "`list` shows the examples"
        )
    (e,) = found
    access = access_of(e)
    who = "the kernel" if access.el else "a program"
    print(f"{e['name']}: {who} asks for 0x{access.va:x} ({access.kind.name.lower()})")
    story, _ = explain(registers_of(e), features_of(e), memory_of(e), access)
    print("\n".join(story))


def main() -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is no error
    args = arguments()
    if args.address == "list":
        print("\n".join(e["name"] for e in EXAMPLES))
    elif re.match(r"[-+]?\d", args.address):
        try:
            one_address(args, number(args.address))
        except argparse.ArgumentTypeError as error:
            sys.exit(str(error))
    else:
        worked_example(args.address)


if __name__ == "__main__":
    main()
