"""Shows a register field by field, and makes its number of fields."""

import argparse

from granule.golden import part

LAYOUTS = part("fields").LAYOUTS
EPILOG = """\
examples:
  {command}                                  the registers
  {command} TCR                              the fields of one
  {command} TCR 0x200100010                  what is in them
  {command} TCR T0SZ=16,TG0=16k,IPS=48bit    the number with these fields, the others 0"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("register", nargs="?", help="its name, such as TCR")
    parser.add_argument("value", nargs="?", help="a number, or fields")


def layout_of(name: str):
    if name.lower() not in LAYOUTS:
        known = ", ".join(layout.name for layout in LAYOUTS.values())
        raise ValueError(f"there is no register '{name}'; there are {known}")
    return LAYOUTS[name.lower()]


def row(name: str, place, value: int | None) -> str:
    bits = f"{place.high}" if place.width == 1 else f"{place.high}:{place.low}"
    if value is None:
        told = ", ".join(f"{text} = {code}" for text, code in place.names.items())
    else:
        text = place.name_of(value)
        told = (f"0x{value:x}" if place.width > 3 else str(value)) + (f"  {text}" if text else "")
    return f"  {name:<8} {bits:<7} {told}".rstrip()


def run(args: argparse.Namespace) -> None:
    if not args.register:
        for layout in LAYOUTS.values():
            print(f"{layout.name:<7} {' '.join(layout.fields)}")
        return
    layout = layout_of(args.register)
    values: dict[str, int] = {}
    title = layout.name
    if args.value:
        number = layout.parse(args.value)
        values = layout.decode(number)
        title += f" = 0x{number:x}"
    print(title)
    for name, place in layout.fields.items():
        print(row(name, place, values.get(name)))
