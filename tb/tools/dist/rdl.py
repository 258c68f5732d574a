"""SystemRDL 2.0 of a register block, from what SpinalHDL's RegIf says of it as JSON.

SpinalHDL's own writer of SystemRDL is not used: in 1.14.2 its bit ranges and addresses are no
SystemRDL ("run[Range 0 to 0 by -1]", "@ 0x0%X")."""

import json
import re

# RegIf's access -> how software and hardware have it. What is read-only comes from hardware.
ACCESS = {
    "RO": "sw = r; hw = w;",
    "RW": "sw = rw; hw = r;",
    "WO": "sw = w; hw = r;",
    "W1C": "sw = rw; onwrite = woclr; hw = w;",
}
RESERVED = "NA"


def identifier(name: str) -> str:
    """With a backslash, as many words are reserved: `level` and `number` among them."""
    return "\\" + re.sub(r"\W+", "_", name).strip("_").lower()


def text(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def field(name: str, of: dict) -> list[str]:
    if of["access"] not in ACCESS:
        raise ValueError(
            f"{name}: field {of['name']} has access {of['access']}; known: {[*ACCESS]}"
        )
    low, high = of["pos"]["start"], of["pos"]["end"]
    reset = "" if of["access"] == "WO" else f" = {of['width']}'h{int(of['reset']):x}"
    return [
        "        field {",
        f"            desc = {text(of['doc'])};",
        f"            {ACCESS[of['access']]}",
        f"        }} {identifier(of['name'])}[{high}:{low}]{reset};",
    ]


def systemrdl(block: str, regif: str) -> str:
    """`regif`: what DocJson writes."""
    described = json.loads(regif)
    width = described["datawidth"]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"addrmap {block} {{",
        f"    default regwidth = {width};",
        f"    default accesswidth = {width};",
    ]
    for register in described["slices"]:
        fields = [f for f in register["fields"] if f["access"] != RESERVED]
        lines += ["    reg {", f"        name = {text(register['name'])};"]
        lines.append(f"        desc = {text(register['doc'])};")
        for of in fields:
            lines += field(register["name"], of)
        lines.append(f"    }} {identifier(register['name'])} @ 0x{int(register['addr']):x};")
    return "\n".join([*lines, "};", ""])
