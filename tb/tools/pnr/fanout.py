"""Splits nets of a Yosys netlist into trees of buffers, for a router that wants few sinks a net.

nextpnr routes nets of 11 to 50 sinks on Gowin's long wires, if many of them lie far apart, before
its router proper, and needs seconds for each; a system has hundreds of them. A net of at most
`MOST` sinks is never taken for one.
"""

import json
from collections import defaultdict
from pathlib import Path

MOST = 10  # sinks of a net
LARGEST = 50  # nets with more sinks are left to the router as they are: clocks and resets
BUFFER = {  # a LUT of one input that is its output
    "hide_name": 1,
    "type": "LUT1",
    "parameters": {"INIT": "10"},
    "attributes": {},
    "port_directions": {"F": "output", "I0": "input"},
}


def sinks_of(cells: dict) -> dict[int, list[tuple[str, str, int]]]:
    """Net: the (cell, port, place) that it drives."""
    sinks = defaultdict(list)
    for name, cell in cells.items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "input":
                for place, bit in enumerate(bits):
                    if isinstance(bit, int):
                        sinks[bit].append((name, port, place))
    return sinks


def limit(module: dict) -> int:
    """Puts buffers into the module until no net has between MOST + 1 and LARGEST sinks; answers
    how many."""
    cells = module["cells"]
    used = [bit for net in module["netnames"].values() for bit in net["bits"]]
    used += [
        bit for cell in cells.values() for bits in cell["connections"].values() for bit in bits
    ]
    free = 1 + max(bit for bit in used if isinstance(bit, int))
    added = 0
    for net, sinks in sinks_of(cells).items():
        if not MOST < len(sinks) <= LARGEST:
            continue
        for first in range(0, len(sinks), MOST):
            for cell, port, place in sinks[first : first + MOST]:
                cells[cell]["connections"][port][place] = free
            cells[f"$fanout${free}"] = BUFFER | {"connections": {"I0": [net], "F": [free]}}
            free, added = free + 1, added + 1
    return added


def limit_file(netlist: Path, top: str) -> int:
    """The same for the module `top` of a file, in place."""
    document = json.loads(netlist.read_text())
    added = limit(document["modules"][top])
    netlist.write_text(json.dumps(document))
    return added
