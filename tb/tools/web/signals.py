"""Which signals of the MMU the web page shows, and where the generated Verilog has them.

The page reads registers and wires of the RTL by their names. This writes a configuration that keeps
them visible in the Verilated model, the list of them for C++ (tb/sim/frames.h), and what the page
must know to read them: the layout of memories, and the names of states.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

from tools.web.around import PARTS, Wanted, of_unit

PORTS = """
io_{p}_ahead_valid io_{p}_ahead_payload io_{p}_cmd_valid io_{p}_cmd_ready io_{p}_cmd_payload_va
io_{p}_cmd_payload_access io_{p}_cmd_payload_el1 io_{p}_cmd_payload_untranslated io_{p}_rsp_pa
io_{p}_rsp_fault io_{p}_rsp_status
"""
MMU = f"""
{PORTS.format(p="fetch")} {PORTS.format(p="data")}
io_walk_cmd_valid io_walk_cmd_ready io_walk_cmd_payload_address io_walk_cmd_payload_swap
io_walk_rsp_valid io_walk_rsp_payload_data io_walk_rsp_payload_error
io_invalidate_cmd_valid io_invalidate_cmd_ready io_invalidate_cmd_payload_kind
io_invalidate_cmd_payload_operand io_invalidate_cmd_payload_lastLevelOnly io_invalidate_done
io_context_tcr io_context_ttbr0 io_context_ttbr1 io_context_sctlr io_context_satp
""".split()
EVENTS = re.compile(r"io_events_\w+$")
UNITS = {
    "walker": """
        walk_first walk_descriptor walk_readError walk_level walk_output_address walk_upper
        walk_request_va walk_request_access walk_request_el1 walk_hierarchy_noEl0
        walk_hierarchy_noWrite walk_hierarchy_uxn walk_hierarchy_pxn killed next_level entryAddress
        remembered step_descends step_maps step_faults io_walk_leaf_valid io_walk_fault_valid
        io_walk_fault_payload_status io_walk_dropped io_memory_cmd_payload_address""",
    "sweep": "step scope_everything scope_byAsid scope_byVa scope_byRange io_busy io_clear",
}
TLB_ENTRY = "valid_{i} key_{i}_of_tag key_{i}_of_asid key_{i}_span key_{i}_global writableClean_{i}"
TABLE_ENTRY = "valid_{i} key_{i}_of_tag key_{i}_of_asid key_{i}_span kind_{i}_level"


@dataclass
class Module:
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

    def count(self, names: str) -> int:
        """How many signals are named like that."""
        return sum(1 for name in self.widths if re.fullmatch(names, name))

    @property
    def entries(self) -> int:
        return self.count(r"valid_\d+")

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
        values = re.findall(rf"localparam {enumeration}_(\w+) = \d+'d(\d+);", self.text)
        return {int(value): name for name, value in values}

    def layout(self, fields: str, memory: str) -> dict[str, tuple[int, int]]:
        """Where the outputs `fields*` are in a word of `memory`: lowest bit and width."""
        assigned = re.findall(
            r"^  assign (\w+) = (\w+)(?:\[(?:\d+ : )?(\d+)\])?;$", self.text, re.M
        )
        slices = {name: (of, int(low or 0)) for name, of, low in assigned}
        found = {}
        for name in self.widths:
            at, of = 0, name
            while of in slices and not of.startswith(memory):
                of, low = slices[of]
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

    @property
    def mmu(self) -> Module:
        return self.module(*self.path)

    @property
    def system(self) -> tuple[str, ...]:
        """Instances from the top to the system that the MMU is in."""
        return self.path[:-2]

    @property
    def parts(self) -> list:
        """What not every machine has."""
        return [part for part in PARTS if part.is_there(self)]

    @cached_property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The page's name of a unit -> its instances."""
        fetch = next(name for name in ("fetch", "fetch_1") if name in self.mmu.children)
        below = {
            "walker": ("walker_1",),
            "sweep": ("sweep",),
            "tables": ("tables",),
            "data": ("data", "tlb"),
            "fetch": (fetch, "tlb"),
        }
        return {unit: (*self.path, *names) for unit, names in below.items()}

    def unit(self, name: str) -> Module:
        return self.module(*self.places[name])

    def of_entries(self, unit: str) -> list[str]:
        """Signals of a unit that has entries."""
        tables, each = unit == "tables", range(self.unit(unit).entries)
        entry = TABLE_ENTRY if tables else TLB_ENTRY
        names = [name for i in each for name in entry.format(i=i).split()]
        names += ["pointers", "c1_place"] if tables else ["mappings", "c1_place"]
        names += [] if tables else ["io_hit", "io_install_valid"]
        # What a sweep may take, and that a lookup waits for it.
        names += ["cleared"] if tables else [*(f"suspect_{i}" for i in each), "io_waits"]
        return names

    def wanted(self) -> Wanted:
        found = of_unit("", self.path, (*MMU, *filter(EVENTS.match, self.mmu.widths)))
        for unit, path in self.places.items():
            if unit in UNITS:
                found.append((f"{unit}.state", path, self.unit(unit).states()[0]))
            names = UNITS[unit].split() if unit in UNITS else self.of_entries(unit)
            found += of_unit(f"{unit}.", path, names)
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
        tlb, tables = self.unit("data"), self.unit("tables")
        reading = {
            "mapping": tlb.layout("io_mapping_", "c1_mapping"),
            "pointer": tables.layout("io_tables_pointer_", "pointers_"),
            "states": {unit: self.unit(unit).states()[1] for unit in UNITS},
            "entries": {unit: self.unit(unit).entries for unit in ("data", "fetch", "tables")},
            "spanCodes": {
                "tlb": tlb.widths["key_0_span"],
                "tables": tables.widths["key_0_span"],
                "tag": tlb.widths["key_0_of_tag"],
            },
        }
        for part in self.parts:
            reading |= part.reading(self)
        return reading
