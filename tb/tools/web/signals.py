"""Which signals of the MMU the web page shows, and where the generated Verilog has them.

The page reads registers and wires of the RTL by their names. This writes a configuration that keeps
them visible in the Verilated model, the list of them for C++ (tb/sim/frames.h), and what the page
must know to read them: the layout of memories, and the names of states.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

from tools.web import around, maintlb

WALK = [
    "walk_first",
    "walk_descriptor",
    "walk_readError",
    "walk_level",
    "walk_output_address",
    "walk_upper",
    "walk_request_va",
    "walk_request_access",
    "walk_request_el1",
    "walk_hierarchy_noEl0",
    "walk_hierarchy_noWrite",
    "walk_hierarchy_uxn",
    "walk_hierarchy_pxn",
    "killed",
    "next_level",
    "entryAddress",
    "remembered",
    "step_descends",
    "step_maps",
    "step_faults",
    "io_walk_leaf_valid",
    "io_walk_fault_valid",
    "io_walk_fault_payload_status",
    "io_walk_dropped",
    "io_memory_cmd_payload_address",
]
SWEEP = [
    "step",
    "scope_everything",
    "scope_byAsid",
    "scope_byVa",
    "scope_byRange",
    "io_busy",
    "io_clear",
]
PORTS = (
    "io_{p}_ahead_valid io_{p}_ahead_payload io_{p}_cmd_valid io_{p}_cmd_ready "
    "io_{p}_cmd_payload_va io_{p}_cmd_payload_access io_{p}_cmd_payload_el1 "
    "io_{p}_cmd_payload_untranslated io_{p}_rsp_pa io_{p}_rsp_fault io_{p}_rsp_status"
)
MMU = (
    *PORTS.format(p="fetch").split(),
    *PORTS.format(p="data").split(),
    *[
        "io_walk_cmd_valid",
        "io_walk_cmd_ready",
        "io_walk_cmd_payload_address",
        "io_walk_cmd_payload_swap",
        "io_walk_rsp_valid",
        "io_walk_rsp_payload_data",
        "io_walk_rsp_payload_error",
        "io_invalidate_cmd_valid",
        "io_invalidate_cmd_ready",
        "io_invalidate_cmd_payload_kind",
        "io_invalidate_cmd_payload_operand",
        "io_invalidate_cmd_payload_lastLevelOnly",
        "io_invalidate_done",
        "io_context_tcr",
        "io_context_ttbr0",
        "io_context_ttbr1",
        "io_context_sctlr",
        "io_context_satp",
    ],
)
EVENTS = re.compile(r"io_events_\w+$")
TLB_ENTRY = "valid_{i} key_{i}_of_tag key_{i}_of_asid key_{i}_span key_{i}_global writableClean_{i}"
TABLE_ENTRY = "valid_{i} key_{i}_of_tag key_{i}_of_asid key_{i}_span kind_{i}_level"


@dataclass
class Module:
    """A module of the generated Verilog."""

    name: str
    text: str

    @cached_property
    def widths(self) -> dict[str, int]:
        found = re.findall(
            r"^  (?:input +|output +)?(?:\(\*.*?\*\) )?(?:wire|reg) +(?:\[(\d+) ?: ?0\] +)?(\w+)",
            self.text,
            re.M,
        )
        return {name: int(high or 0) + 1 for high, name in found}

    @cached_property
    def children(self) -> dict[str, str]:
        """Instance -> module."""
        found = re.findall(r"^  ([A-Z]\w*) (\w+) \($", self.text, re.M)
        return {name: module for module, name in found}

    def states(self) -> tuple[str, dict[int, str]]:
        """The register that is the unit's own state, and the names of its values."""
        register = re.search(r"^  reg +\[\d+:0\] +(state(?:_\d)?);", self.text, re.M)[1]
        prefix = re.search(r"localparam (State(?:_\d)?)_idle = ", self.text)[1]
        return register, self.codes(prefix)

    def codes(self, enumeration: str) -> dict[int, str]:
        """The names of its values."""
        values = re.findall(rf"localparam {enumeration}_(\w+) = \d+'d(\d+);", self.text)
        return {int(value): name for name, value in values}

    def layout(self, fields: str, memory: str) -> dict[str, tuple[int, int]]:
        """Where the outputs `fields*` are in a word of `memory`: lowest bit and width."""
        slices = {}
        for name, of, high, low in re.findall(
            r"^  assign (\w+) = (\w+)(?:\[(\d+)(?: : (\d+))?\])?;$", self.text, re.M
        ):
            slices[name] = (of, int(low or high or 0), int(high) if high else None)
        found = {}
        for name in self.widths:
            at, of = 0, name
            while of in slices and not of.startswith(memory):
                of, low, _ = slices[of]
                at += low
            if name.startswith(fields) and of.startswith(memory):
                found[name.removeprefix(fields)] = (at, self.widths[name])
        return found


@dataclass
class Machine:
    """The MMU in a Verilog file. `path`: instances from the top to it."""

    verilog: str
    top: str
    path: tuple[str, ...] = ()
    modules: dict[str, Module] = field(init=False)

    def __post_init__(self):
        found = re.findall(r"^module (\w+) \(\n(.*?)^endmodule", self.verilog, re.M | re.S)
        self.modules = {name: Module(name, text) for name, text in found}

    def module(self, *path: str) -> Module:
        at = self.modules[self.top]
        for name in path:
            at = self.modules[at.children[name]]
        return at

    @cached_property
    def mmu(self) -> Module:
        return self.module(*self.path)

    @property
    def system(self) -> tuple[str, ...]:
        """Instances from the top to the system that the MMU is in."""
        return self.path[:-2]

    @property
    def parts(self) -> list:
        """What not every machine has."""
        return [part for part in (maintlb, around) if part.is_there(self)]

    def entries(self, module: Module) -> int:
        return sum(1 for name in module.widths if re.fullmatch(r"valid_\d+", name))

    @cached_property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The page's name of a unit -> its instances below the MMU."""
        fetch = next(name for name in ("fetch", "fetch_1") if name in self.mmu.children)
        return {
            "walker": ("walker_1",),
            "sweep": ("sweep",),
            "tables": ("tables",),
            "data": ("data", "tlb"),
            "fetch": (fetch, "tlb"),
        }

    @property
    def early(self) -> bool:
        """An invalidation is complete before its sweep is over."""
        sweep = self.module(*self.path, *self.places["sweep"])
        return "io_suspects_valid" in sweep.widths

    def wanted(self) -> list[tuple[str, tuple[str, ...], str]]:
        """The page's name of a signal, the instances that lead to it, its own name."""
        ports = (*MMU, *filter(EVENTS.match, self.mmu.widths))
        found = [(name, self.path, name) for name in ports]
        for unit, below in self.places.items():
            path = (*self.path, *below)
            module = self.module(*path)
            names: list[str] = []
            if unit in ("walker", "sweep"):
                names = list(WALK if unit == "walker" else SWEEP)
                found.append((f"{unit}.state", path, module.states()[0]))
            else:
                entry = TABLE_ENTRY if unit == "tables" else TLB_ENTRY
                for i in range(self.entries(module)):
                    names += entry.format(i=i).split()
                names.append("pointers" if unit == "tables" else "mappings")
                names += ["c1_place", *(() if unit == "tables" else ("io_hit", "io_install_valid"))]
                if self.early:  # what a sweep may take, and that a lookup waits for it
                    suspects = [f"suspect_{i}" for i in range(self.entries(module))]
                    names += ["cleared"] if unit == "tables" else [*suspects, "io_waits"]
            found += [(f"{unit}.{name}", path, name) for name in names]
        for part in self.parts:
            found += part.wanted(self)
        for _, path, name in found:
            module = self.module(*path)
            if name not in module.widths:
                raise ValueError(f"{module.name} has no {name}; the page shows it: {__file__}")
        return found

    def configuration(self) -> str:
        """For Verilator: these stay visible."""
        lines = {
            f'public_flat_rd -module "{self.module(*path).name}" -var "{signal}"'
            for _, path, signal in self.wanted()
        }
        return "`verilator_config\n" + "\n".join(sorted(lines)) + "\n"

    def probes(self) -> str:
        """For C++: each signal by its names here and in the model."""
        lines = []
        for name, path, signal in self.wanted():
            member = "__DOT__".join((self.top, *path, signal)) if path else signal  # a port
            lines.append(f'PROBE("{name}", {member})\n')
        return "".join(lines)

    def reading(self) -> dict:
        """For the page: how the words are read."""
        tlb, tables = (self.module(*self.path, *self.places[u]) for u in ("data", "tables"))
        states = {
            unit: self.module(*self.path, *self.places[unit]).states()[1]
            for unit in ("walker", "sweep")
        }
        reading = {
            "mapping": tlb.layout("io_mapping_", "c1_mapping"),
            "pointer": tables.layout("io_tables_pointer_", "pointers_"),
            "states": states,
            "early": self.early,
            "entries": {
                unit: self.entries(self.module(*self.path, *self.places[unit]))
                for unit in ("data", "fetch", "tables")
            },
            "spanCodes": {
                "tlb": tlb.widths["key_0_span"],
                "tables": tables.widths["key_0_span"],
                "tag": tlb.widths["key_0_of_tag"],
            },
        }
        for part in self.parts:
            reading |= part.reading(self)
        return reading
