"""Where the cycles go: Dhrystone, the five documents at each granule, and Linux's boot and a shell
script once `make linux` has built it. `make stalls` prints tables and writes
build/results/stalls.json; `make publish` puts them into docs/results.md, beside what others
published and rows that were not measured now."""

import json
import re
import tempfile
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path

import click

from figures.measure import Boot, Measured, at_once, merged
from figures.page import table
from granule.simulator import Counts
from sim.compiler import PROGRAMS
from sim.simulator import compile_program, simulate
from support import results
from support.root import ROOT
from system.linux import guest

PEERS = Path(__file__).with_name("stalls_peers.json")
VAX_11_780 = 1757  # Dhrystones a second of 1 MIPS
DHRYSTONE = ("-fno-inline", "-fbuiltin", str(PROGRAMS / "dhrystone_second.c"))
# What a boot is watched for, as Linux prints it.
BANNER, RUN_INIT = "Linux version", "Run /init"
IN_USER = "first instruction in U-mode"  # a milestone of every profile
BOOT = (BANNER, RUN_INIT, IN_USER)
# Programs of busybox, new processes and pipes; the kernel shows its command line, in which these
# words are not.
BEGINS, ENDS = "script 42 begins", "script 42 ends"
SCRIPT = (
    "echo script $((6 * 7)) begins; "
    "for i in 1 2 3 4; do ls -l /bin /dev | sort | md5sum; done; "
    "echo script $((6 * 7)) ends"
)
LINUX = guest.LINUX / "boot.elf"
LINUX_OPTIONS = (
    "--lowmem", guest.MEMORY, "--highmem", "0",
    "--append", guest.with_command(guest.ARGUMENTS, SCRIPT),
    "--max-cycles", "400000000",  # more than it takes
)  # fmt: skip
CONFIGS = ("teaching", "teaching_main", "ulx3s", "ulx3s_main")
MAIN = "_main"  # what the name of a configuration has more when it has a main TLB
MEMORY = "board"
DOCUMENTS, GRANULES = ("000", "001", "002", "003", "004"), ("4k", "16k", "64k")
# Columns, and the reasons that each puts together.
COLUMNS = {
    "fetch": ("icache", "itlb"),
    "branch": ("branch",),
    "operand": ("hazard",),
    "load": ("load",),
    "store": ("store",),
    "walk": ("walk",),
    "division": ("divide",),
    "CSR, fence": ("system",),
    "trap, return": ("flush",),
    "idle": ("idle",),
}
# Events for 1000 instructions.
MISSES = {
    "I-cache misses": "l1i_miss",
    "D-cache misses": "l1d_miss",
    "I-TLB misses": "itlb_miss",
    "D-TLB misses": "dtlb_miss",
    "walks": "walks",
}


class Unequal(ValueError):
    """The reasons are not what the cycles were lost to."""


@dataclass(frozen=True)
class Spent:
    """Cycles from reset, or of a part; `reasons` are those in which no instruction retired,
    `events` what the other counters counted meanwhile."""

    what: str
    configuration: str
    memory: str
    cycles: int
    instructions: int
    reasons: dict[str, int]
    events: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lost, given = self.cycles - self.instructions, sum(self.reasons.values())
        if lost != given:
            raise Unequal(
                f"{self.what} on {self.configuration}: {lost} cycles without an instruction, and "
                f"reasons for {given}; cpu/Stall.scala gives them"
            )

    def share(self, *reasons: str) -> float:
        """Of all cycles."""
        return sum(self.reasons[f"stall_{reason}"] for reason in reasons) / self.cycles

    def per_thousand(self, event: str) -> float:
        return 1000 * self.events[event] / self.instructions

    def per_walk(self, event: str) -> float:
        return self.events[event] / self.events["walks"]

    @property
    def translates(self) -> bool:
        """Most of the time; a kernel is Bare before it has its tables."""
        return bool(self.events) and self.per_thousand("walks") > 0.1

    def since(self, start: "Spent", what: str) -> "Spent":
        """What was spent after `start`, which is from reset, too."""
        less = {
            part: {n: count - getattr(start, part)[n] for n, count in getattr(self, part).items()}
            for part in ("reasons", "events")
        }
        cycles, instructions = self.cycles - start.cycles, self.instructions - start.instructions
        return replace(self, what=what, cycles=cycles, instructions=instructions, **less)


# ---- what runs ----------------------------------------------------------------------------------
def spent(what: str, config: str, c: Counts) -> Spent:
    """All modes together."""
    return Spent(what, config, MEMORY, c.cycles, c.instructions, c.stalls, c.counters)


def dhrystone(config: str) -> list[dict]:
    """By the machine's own counters, and DMIPS a MHz."""
    elf = compile_program("dhrystone", *DHRYSTONE)
    run = simulate(elf, "--memory", MEMORY, config=config).passed()
    found = re.findall(r"^dhrystone\.(\w+) ([0-9a-f]{8})$", run.out, re.M)
    counts = {name: int(count, 16) for name, count in found}
    cycles, instructions = counts.pop("cycles"), counts.pop("instructions")
    row = asdict(Spent("Dhrystone", config, MEMORY, cycles, instructions, counts))
    return [row | {"dmips_per_mhz": round(1e6 * run.value("runs") / (cycles * VAX_11_780), 3)}]


def linux(config: str) -> list[dict]:
    """From reset to milestones of the boot, and the script alone, by the simulator's profile."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile.json"
        simulate(
            LINUX, "--memory", MEMORY, "--profile", str(path), "--end-at-milestones",
            *(w for text in (BANNER, RUN_INIT, BEGINS, ENDS) for w in ("--milestone", text)),
            *LINUX_OPTIONS, config=config, timeout=3600,
        ).passed()  # fmt: skip
        profile = json.loads(path.read_text())
    found = [spent(m["name"], config, Counts.of_profile(m)) for m in profile]
    script = {m.what: m for m in found if m.what in (BEGINS, ENDS)}
    boot = [replace(m, what=f"boot to '{m.what}'") for m in found if m.what in BOOT]
    return [asdict(m) for m in (*boot, script[ENDS].since(script[BEGINS], "shell script"))]


def document(config: str, number: str, granule: str) -> list[dict]:
    """The firmware's experiment for a document, from its heading to the end of the run."""
    begins = f"=== e{number}"
    boot = Boot(f"pagesize={granule} run=e{number}", config, options=("--memory", MEMORY))
    run = boot.run(milestones=[begins], timeout=3600)
    start, end = (spent(begins, config, c) for c in (run.milestones[begins], run.counts))
    return [asdict(end.since(start, f"document {number}, {granule[:-1]}K"))]


PROGRAMS = {"Dhrystone": dhrystone, "document": document, "Linux": linux}


def measure(jobs: int) -> list[dict]:
    """Rows of every configuration. Linux takes longer than all the others: it begins first."""
    names = [("Dhrystone",), *product(["document"], DOCUMENTS, GRANULES), ("Linux",)]
    todo = [(config, *name) for config, name in product(CONFIGS, names)]
    todo = [job for job in todo if LINUX.exists() or "Linux" not in job]
    order = sorted(todo, key=lambda job: "Linux" not in job)
    found = at_once(jobs, lambda job: PROGRAMS[job[1]](job[0], *job[2:]), order)
    rows = dict(zip(order, found, strict=True))
    return [row for job in todo for row in rows[job]]


# ---- what is shown ------------------------------------------------------------------------------
def of_row(row: dict) -> Spent:
    return Spent(**{k: row[k] for k in Spent.__dataclass_fields__ if k in row})


def without_documents(rows: list[dict]) -> list[dict]:
    """Those are fifteen runs a machine: they are in the table of walks only."""
    return [row for row in rows if not row["what"].startswith("document")]


def cells(row: dict) -> tuple:
    one, dmips = of_row(row), row.get("dmips_per_mhz")
    cpi = one.cycles / one.instructions
    shares = (f"{100 * one.share(*reasons):.1f}" for reasons in COLUMNS.values())
    return (one.what, f"`{one.configuration}`", f"{one.cycles:,}", f"{one.instructions:,}",
            f"{cpi:.2f}", f"{dmips:.2f}" if dmips else "", *shares)  # fmt: skip


def lost(rows: list[dict]) -> str:
    """Ours: share of all cycles, in per cent."""
    head = ("", "configuration", "cycles", "instructions", "CPI", "DMIPS/MHz", *COLUMNS)
    return table(head, map(cells, without_documents(rows)), "llr", tight=True)


def translation_cells(one: Spent) -> tuple:
    misses = (f"{one.per_thousand(event):.2f}" for event in MISSES.values())
    known = one.per_walk("walk_cached") + one.per_walk("walk_cached_upper")
    return (one.what, f"`{one.configuration}`", *misses, f"{one.per_walk('walk_cycles'):.1f}",
            f"{100 * one.per_walk('walk_single'):.0f} %", f"{100 * known:.0f} %")  # fmt: skip


def translations(rows: list[dict]) -> str:
    """TLB and walks, of what runs under translation."""
    head = ("", "configuration", *MISSES, "cycles a walk", "walks of one read",
            "walks from a remembered table")  # fmt: skip
    translated = (one for one in map(of_row, without_documents(rows)) if one.translates)
    return table(head, map(translation_cells, translated), "llr", tight=True)


def main_tlb(rows: list[dict]) -> str:
    """Each run on a machine without and with a main TLB: what its walks were, and their price."""
    by_place = {(one.what, one.configuration): one for one in map(of_row, rows)}
    head = ("", "machine", "micro TLB misses", "walks", "with a main TLB", "left",
            "cycles waited", "with a main TLB")  # fmt: skip
    lines = []
    for (what, config), with_main in by_place.items():
        plain = by_place.get((what, config.removesuffix(MAIN)))
        if not config.endswith(MAIN) or not plain or not plain.translates:
            continue
        both = (plain, with_main)
        waits = [one.reasons["stall_itlb"] + one.reasons["stall_walk"] for one in both]
        walks = [one.events["walks"] for one in both]
        misses = plain.events["itlb_miss"] + plain.events["dtlb_miss"]
        left = f"{100 * walks[1] / walks[0]:.1f} %"
        counts = (f"{misses:,}", *(f"{n:,}" for n in walks), left, *(f"{n:,}" for n in waits))
        lines.append((what, f"`{plain.configuration}`", *counts))
    return table(head, lines, "llr", tight=True)


def section(recorded: dict) -> str:
    rows = recorded["rows"]
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    head = ("design", "what", "published", "source")
    peers = ([row[c] for c in head] for row in json.loads(PEERS.read_text())["rows"])
    return "\n\n".join(
        [
            lost(rows),
            "Misses and walks meanwhile, for 1,000 instructions, where translation is on:",
            translations(rows),
            "What a main TLB of 1,024 (`teaching`) or 256 entries (`ulx3s`) leaves of the walks. "
            "The counts are of whole runs; the wait is that of instructions and data:",
            main_tlb(rows),
            f"Commits {commits}. What others published:",
            table(head, peers, tight=True),
        ]
    )


MEASURED = Measured("stalls", "make stalls", "", {("docs/results.md", "stalls"): section})


@click.command(help=__doc__)
@click.option("--jobs", default=1, show_default=True, help="Simulators at once.")
@click.option("--publish", is_flag=True, help="Measure nothing, write docs/results.md.")
def main(jobs: int, publish: bool) -> None:
    if publish:
        found = results.read("stalls") or {"figures": [], "commit": ""}
        new = [row | {"commit": found["commit"]} for row in found["figures"]]
        rows = merged(MEASURED.recorded()["rows"], new, "configuration", "what")
        MEASURED.write({"rows": rows})
        return
    if not LINUX.exists():
        click.echo(f"{LINUX.relative_to(ROOT)} is not there: no Linux; make linux builds it")
    rows = measure(jobs)
    results.write("stalls", " ".join(CONFIGS), rows, command="make stalls")
    click.echo(f"{lost(rows)}\n{main_tlb(rows)}")
