"""Where the cycles of a program went: runs it on the simulator and sorts what was counted."""

import json
import re
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from figures.measure import Boot
from granule.simulator import Counts
from sim.compiler import PROGRAMS
from sim.simulator import compile_program, simulate

VAX_11_780 = 1757  # Dhrystones a second of 1 MIPS
DHRYSTONE = ("-fno-inline", "-fbuiltin", str(PROGRAMS / "dhrystone_second.c"))
# What a boot is watched for, as Linux prints it.
BANNER, RUN_INIT = "Linux version", "Run /init"
# Programs of busybox, new processes and pipes; the kernel shows its command line, in which these
# words are not.
BEGINS, ENDS = "script 42 begins", "script 42 ends"
SCRIPT = (
    "echo script $((6 * 7)) begins; "
    "for i in 1 2 3 4; do ls -l /bin /dev | sort | md5sum; done; "
    "echo script $((6 * 7)) ends"
)
DOCUMENTS = ("000", "001", "002", "003", "004")
GRANULES = ("4k", "16k", "64k")


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
        lost = self.cycles - self.instructions
        if lost != sum(self.reasons.values()):
            raise Unequal(
                f"{self.what} on {self.configuration}: {lost} cycles without an instruction, and "
                f"reasons for {sum(self.reasons.values())}; cpu/StallReasons.scala gives them"
            )

    @property
    def cpi(self) -> float:
        return self.cycles / self.instructions

    def share(self, *reasons: str) -> float:
        """Of all cycles."""
        return sum(self.reasons[f"stall_{reason}"] for reason in reasons) / self.cycles

    def per_thousand(self, event: str) -> float:
        """Of instructions."""
        return 1000 * self.events[event] / self.instructions

    def per_walk(self, event: str) -> float:
        return self.events[event] / self.events["walks"]

    @property
    def translates(self) -> bool:
        """Most of the time; a kernel is Bare before it has its tables."""
        return self.per_thousand("walks") > 0.1

    def since(self, start: "Spent", what: str) -> "Spent":
        """What was spent after `start`, which is from reset, too."""

        less = {"cycles": self.cycles - start.cycles}
        less["instructions"] = self.instructions - start.instructions
        for part in ("reasons", "events"):
            before = getattr(start, part)
            less[part] = {n: count - before[n] for n, count in getattr(self, part).items()}
        return replace(self, what=what, **less)

    def row(self) -> dict:
        return asdict(self)


def dhrystone(config: str, memory: str) -> tuple[Spent, float]:
    """By the machine's own counters, and DMIPS a MHz."""
    elf = compile_program("dhrystone", *DHRYSTONE)
    run = simulate(elf, "--memory", memory, config=config).passed()
    counts = {
        name: int(count, 16)
        for name, count in re.findall(r"^dhrystone\.(\w+) ([0-9a-f]{8})$", run.out, re.M)
    }
    cycles, instructions = counts.pop("cycles"), counts.pop("instructions")
    spent = Spent("Dhrystone", config, memory, cycles, instructions, counts)
    return spent, 1e6 * run.value("runs") / (cycles * VAX_11_780)


def linux(elf: Path, config: str, memory: str, *options: str) -> list[Spent]:
    """From reset to milestones of the boot, and the script alone, by the simulator's profile."""
    texts = (BANNER, RUN_INIT, BEGINS, ENDS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile.json"
        simulate(
            elf, "--memory", memory, "--profile", str(path), "--end-at-milestones",
            *(word for text in texts for word in ("--milestone", text)),
            *options, config=config, timeout=3600,
        ).passed()  # fmt: skip
        found = [
            spent(m["name"], config, memory, Counts.of_profile(m))
            for m in json.loads(path.read_text())
        ]
    script = {m.what: m for m in found if m.what in (BEGINS, ENDS)}
    boot = [m for m in found if m.what not in (BEGINS, ENDS, "end")]
    return [
        *(replace(m, what=f"boot to '{m.what}'") for m in boot),
        script[ENDS].since(script[BEGINS], "shell script"),
    ]


def document(number: str, granule: str, config: str, memory: str) -> Spent:
    """The firmware's experiment for a document, from its heading to the end of the run."""
    begins = f"=== e{number}"
    boot = Boot(f"pagesize={granule} run=e{number}", config, options=("--memory", memory))
    run = boot.run(milestones=[begins], timeout=3600)
    start = spent(begins, config, memory, run.milestones[begins])
    end = spent("end", config, memory, run.counts)
    return end.since(start, f"document {number}, {granule[:-1]}K")


def spent(what: str, config: str, memory: str, c: Counts) -> Spent:
    """All modes together."""
    return Spent(what, config, memory, c.cycles, c.instructions, c.stalls, c.counters)
