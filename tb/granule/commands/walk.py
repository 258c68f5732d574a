"""Translates an address as the MMU does and tells how, with pages of 4, 16 and 64 KiB, or with the
registers that you give. It is the golden model that the hardware is tested against."""

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path

from granule.golden import model, part
from granule.tables import GRANULES, Machine, made_up, memory_of, registers_for
from granule.translation import KINDS, Result, features_of, translate

examples, fields, NAMES = part("examples"), part("fields"), tuple(part("features").ADDS)

EPILOG = """\
examples:
  {command} 0x7f1234567abc                one address, three page sizes
  {command} 0x1234567abc --va-bits 39     fewer address bits, fewer levels
  {command} 0x7f1234567abc --block        mapped by a block: the walk ends earlier
  {command} 0x7f1234567abc --missing 2    an invalid entry at level 2
  {command} 0x7f1234567abc --read-only --access write
  {command} 0x1234 --tcr T0SZ=39,TG0=64k   registers: fields or numbers
  {command} A1                            a worked example, A1 to H8
  {command} list                          their names

The tables are made for the address that you ask for, unless you give them: --memory FILE has a
line for each descriptor, `0x40000ff0: 0x40001003`. Which bits choose an entry, how many tables are
read and what a page or a block covers is what the Arm architecture says; where the tables and the
page lie was our choice."""


def number(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 64:
        raise ValueError(f"'{text}' is no address from 0 to 2^64 - 1; write 0x7f1234567abc")
    return value


def va_bits(text: str) -> int:
    if not re.fullmatch(r"\d+", text) or not 25 <= int(text) <= 48:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of address bits from 25 to 48")
    return int(text)


def given(layout) -> Callable[[str], int]:
    """A register as a number or as fields."""

    def value(text: str) -> int:
        try:
            return layout.parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("address", help="a number, the name of a worked example, or `list`")
    add("--granule", choices=GRANULES, help="one page size instead of all three")
    add("--va-bits", type=va_bits, metavar="N",
        help="size of the address space, 25 to 48 bits (default: 48)")  # fmt: skip
    add("--access", choices=KINDS, default="read", help="default: read")
    add("--el", type=int, choices=(0, 1), default=0,
        help="who asks: 0 a program (default), 1 the kernel")  # fmt: skip
    add("--block", action="store_true", help="map by a block of level 2")
    add("--missing", type=int, choices=range(4), metavar="LEVEL",
        help="leave out the entry of this level, 0 to 3")  # fmt: skip
    add("--read-only", action="store_true", help="the mapping permits no stores")
    add("--memory", type=Path, metavar="FILE", help="walk these descriptors")
    add("--features", type=lambda text: text.split(","), default=(), metavar="NAME,...",
        help=f"what the machine has beside the base: {', '.join(NAMES)}")  # fmt: skip
    add("--json", action="store_true", help="the result for a program")
    group = parser.add_argument_group(
        "registers", "a number, or fields as in T0SZ=16,TG0=16k; one walk with these registers"
    )
    for name, layout in fields.LAYOUTS.items():
        group.add_argument(f"--{name}", type=given(layout), metavar="VALUE")


def machine(args: argparse.Namespace, va: int, granule: str) -> Machine:
    """What was asked for: registers, and tables for them."""
    given = {name: value for name in fields.LAYOUTS if (value := getattr(args, name)) is not None}
    if "tcr" in given and (args.granule or args.va_bits):
        raise ValueError("--tcr has the granule and the size of the halves; "
                         "leave --granule and --va-bits out")  # fmt: skip
    registers = registers_for(granule, args.va_bits or 48, **given)
    if args.memory:
        if args.block or args.read_only or args.missing is not None:
            raise ValueError("--memory has the tables; leave --block, --missing and --read-only "
                             "out, or change the file")  # fmt: skip
        return Machine(registers, memory_of(args.memory))
    return made_up(
        va, registers, access=args.access, block=args.block, missing=args.missing,
        read_only=args.read_only, features=args.features,
    )  # fmt: skip


def head(registers: model.Registers, va: int, features: model.Features) -> str:
    """The tables that these registers describe."""
    regime = part("regime").regime_of(registers, features, registers.half(va))
    g = regime.geometry
    return (
        f"pages of {model.size(g.granule)}: {len(g.levels)} level{'s' * (len(g.levels) != 1)}, "
        f"{1 << g.stride} entries in a table, one last-level table maps "
        f"{model.size(g.granule + g.stride)}"
    )


def one_address(args: argparse.Namespace, va: int) -> None:
    asked = any(getattr(args, name) is not None for name in fields.LAYOUTS)
    granules = [args.granule or "4k"] if args.granule or asked else list(GRANULES)
    results = []
    for granule in granules:
        m = machine(args, va, granule)
        result = translate(
            va, m.registers, m.memory, access=args.access, el=args.el, features=args.features
        )
        results.append(result.as_dict())
        if not args.json:
            if m.registers.translating:
                print(head(m.registers, va, features_of(args.features)))
            print(result.text, end="\n\n")
    if args.json:
        print(json.dumps(results, indent=1))


def worked_example(name: str, *, as_json: bool) -> None:
    found = [e for e in examples.EXAMPLES if examples.name_of(e).lower() == name.lower()]
    if not found:
        raise ValueError(
            f"'{name}' is neither an address nor a worked example; write 0x7f1234567abc, or A1; "
            "`list` shows the examples"
        )
    (e,) = found
    access = examples.access_of(e)
    steps, outcome = model.follow(
        examples.registers_of(e), examples.features_of(e), examples.memory_of(e), access
    )
    result = Result(access.va, tuple(steps), outcome)
    if as_json:
        print(json.dumps([result.as_dict()], indent=1))
        return
    who = "the kernel" if access.el else "a program"
    print(f"{e['name']}: {who} asks for 0x{access.va:x} ({access.kind.name.lower()})")
    print(result.text)


def run(args: argparse.Namespace) -> None:
    if args.address == "list":
        print("\n".join(e["name"] for e in examples.EXAMPLES))
    elif re.match(r"[-+]?\d", args.address):
        one_address(args, number(args.address))
    else:
        worked_example(args.address, as_json=args.json)
