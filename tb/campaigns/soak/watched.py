"""What a Verilated MMU shows of its inside: the states of its state machines and some signals of
its TLBs. Both are found in the Verilog, so that a state that is new there is new here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MODULE = re.compile(r"^module (\w+) \(\n(.*?)^endmodule", re.M | re.S)
INSTANCE = re.compile(r"^  (\w+) (\w+) \($", re.M)
MACHINE = re.compile(r"^ +(\w*sta[tg]e\w*) <= (Sta[tg]e(?:_\d+)?)_idle;$", re.M)
# By module: signals that say how a lookup stands, and what their values are called.
LOOKUPS = {
    "TranslateUnit": {
        "c1_compared": {0: "not compared", 1: "compared"},
        "tlb_io_hit": {1: "hit"},
        "tlb_io_waits": {1: "suspect"},
    },
    "MainTlb": {
        "looked": {1: "compares"},
        "hit_known": {1: "known"},
    },
    "WalkCache": {"io_tables_found_valid": {0: "not found", 1: "found"}},
}


@dataclass(frozen=True)
class Signal:
    """path: instances from the top to its module. names: of its values that can occur."""

    path: tuple[str, ...]
    module: str
    name: str
    names: dict[int, str]

    @property
    def unit(self) -> str:
        return self.path[-1]


def _machine(module: str) -> tuple[str, dict[int, str]] | None:
    """The register of the module's state machine, and the states that something leads to."""
    found = MACHINE.search(module)
    if not found:
        return None
    register, kind = found.groups()
    codes = dict(re.findall(rf"localparam {kind}_(\w+) = \d+'d(\d+);", module))
    used = re.sub(rf"localparam .*|[=!]= {kind}_\w+|^ +{kind}_\w+ :", "", module, flags=re.M)
    compared = re.findall(rf"assign (\w+) = {kind}_\w+;", module)
    for name in compared:  # a constant that is only compared with
        if re.search(rf"== {name}\)", module):
            used = re.sub(rf"assign {name} = .*;", "", used)
    reached = set(re.findall(rf"\b{kind}_(\w+)\b", used))
    return register, {int(code): name for name, code in codes.items() if name in reached}


def _lookups(module: str, text: str) -> Iterator[tuple[str, dict[int, str]]]:
    for kind, signals in LOOKUPS.items():
        if not re.fullmatch(rf"{kind}(_\d+)?", module):
            continue
        for signal, names in signals.items():
            if re.search(rf"\b{signal}\b", text):
                yield signal, names
            else:
                raise ValueError(f"module {module} has no signal {signal}; name the one it has "
                                 "in LOOKUPS of soak/watched.py")  # fmt: skip


def signals(verilog: str, top: str) -> list[Signal]:
    """Of all that the top has inside, in the order of the file."""
    modules = dict(MODULE.findall(verilog))
    found = []

    def descend(name: str, path: tuple[str, ...]) -> None:
        text = modules[name]
        machine = _machine(text)
        for signal, names in ([machine] if machine else []) + [*_lookups(name, text)]:
            found.append(Signal(path, name, signal, names))
        for kind, instance in INSTANCE.findall(text):
            if kind in modules:
                descend(kind, (*path, instance))

    descend(top, (top,))
    return found


def options(found: list[Signal]) -> str:
    """For Verilator: they can be read."""
    lines = {f'public_flat_rd -module "{s.module}" -var "{s.name}"' for s in found}
    return "\n".join(["`verilator_config", *sorted(lines), ""])


def header(found: list[Signal]) -> str:
    """For accesses.h: where each of them is."""
    rows = [f'    {{"TOP.{".".join(s.path)}", "{s.name}"}},' for s in found]
    return "\n".join(["const Place kPlaces[] = {", *rows, "};", ""])
