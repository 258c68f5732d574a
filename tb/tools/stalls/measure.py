"""Where the cycles of a program went: runs it on the simulator and sorts what was counted."""

import json
import re
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sim.simulator import PROGRAMS, compile_program, simulate

MODES = ("user", "supervisor", "machine")
VAX_11_780 = 1757  # Dhrystones a second of 1 MIPS
DHRYSTONE = ("-fno-inline", "-fbuiltin", str(PROGRAMS / "dhrystone_second.c"))
# What a boot is watched for, as Linux prints it.
BANNER, RUN_INIT, USER = "Linux version", "Run /init", "first instruction in U-mode"


class Unequal(ValueError):
    """The reasons are not what the cycles were lost to."""


@dataclass(frozen=True)
class Spent:
    """Cycles from reset, or of a loop; `reasons` are those in which no instruction retired,
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


def boot(elf: Path, config: str, memory: str, *options: str) -> list[Spent]:
    """Of Linux, from reset to each milestone, by the simulator's profile."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile.json"
        simulate(
            elf, "--memory", memory, "--profile", str(path), "--end-at-milestones",
            *(word for text in (BANNER, RUN_INIT) for word in ("--milestone", text)),
            *options, config=config, timeout=3600,
        ).passed()  # fmt: skip
        milestones = json.loads(path.read_text())
    return [of_profile(m, config, memory) for m in milestones if m["name"] != "end"]


def of_profile(milestone: dict, config: str, memory: str) -> Spent:
    """All modes together."""
    reasons = {
        reason: sum(milestone[mode][reason] for mode in MODES)
        for reason in milestone["machine"]
        if reason != "instructions"
    }
    return Spent(
        milestone["name"],
        config,
        memory,
        milestone["cycles"],
        milestone["instructions"],
        reasons,
        milestone["events"],
    )
