"""Parts of units, and units that are small, as one simulation, so that they share a build.

Each is an instance in a top without ports: nothing but a test drives its inputs. Modules of several
files may have the same name, so a module gets the name of its file as well.
"""

import re
from collections.abc import Iterable

TOP = "together"
_MODULE = re.compile(r"^module (\w+) .*?^endmodule\n", re.M | re.S)
# The head of a module, or of an instance, which may have an attribute.
_NAMED = re.compile(r"^(module |  (?:\(\*.*\*\) )?)(\w+)(?= (?:#\(|\w* ?\())", re.M)


def name(part: str, file: str) -> str:
    """Of a part in the simulation; `file`: of its Verilog, without suffix."""
    return f"{part}_of_{file}"


def alone(verilog: str, part: str, file: str) -> str:
    """The part with the modules that it is made of."""
    modules = {found[1]: found[0] for found in _MODULE.finditer(verilog)}
    wanted = [part]
    for module in wanted:
        for found in _NAMED.finditer(modules[module]):
            if found[2] in modules and found[2] not in wanted:
                wanted.append(found[2])
    return _NAMED.sub(
        lambda found: found[1] + (name(found[2], file) if found[2] in wanted else found[2]),
        "\n".join(modules[module] for module in wanted),
    )


def simulation(parts: Iterable[tuple[str, str, str]]) -> str:
    """`parts`: name, file and the text of that file of each."""
    parts = list(parts)
    pieces = [alone(verilog, part, file) for part, file, verilog in parts]
    names = [name(part, file) for part, file, _ in parts]
    instances = [f"  {n} {n} ();\n" for n in names]
    return "\n".join(["`timescale 1ns/1ps\n", *pieces, f"module {TOP} ();\n"]) + "".join(
        [*instances, "endmodule\n"]
    )
