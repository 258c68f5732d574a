"""One program on the simulated core and on Spike, side by side: granule-sim writes what the core
commits into a pipe, and `lockstep` does the same on Spike and compares."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sim.simulator import simulator
from support.run import built

MEMORY = 16 << 20  # bytes of each window, granule-sim's default
PMP_ENTRIES = 8  # of the configurations with Sv32, config/GranuleConfig.scala


@dataclass(frozen=True)
class Outcome:
    """What was compared; `report` shows the first difference."""

    program: str
    instructions: int
    under_sv32: int
    traps: int
    interrupts: int
    stores: int
    differences: int
    report: str


def compare(
    elf: Path,
    config: str,
    instructions: int,
    *options: str,
    lowmem: int = MEMORY,
    highmem: int = MEMORY,
    pmp: int = PMP_ENTRIES,
    append: str | None = None,
) -> Outcome:
    """Runs until `instructions` were compared, the program ends, or something differs. `options`
    are further ones of the simulator."""
    lockstep = built("build/lockstep")
    appended = [] if append is None else [append]
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "commits"
        os.mkfifo(pipe)
        core = subprocess.Popen(
            [simulator(config), "--quiet", "--commits", str(pipe), *options,
             "--lowmem", f"{lowmem >> 10}K", "--highmem", f"{highmem >> 10}K",
             *(["--append", append] if appended else []), str(elf)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        spike = subprocess.run(
            [lockstep, str(elf), str(pipe), str(instructions), str(lowmem), str(highmem),
             str(pmp), *appended],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        core.kill()
        core_said = core.communicate()[1].decode()
    try:
        *report, counts = spike.stdout.splitlines()
        return Outcome(elf.stem, **json.loads(counts), report="\n".join(report))
    except ValueError as error:
        raise RuntimeError(f"{elf.name}: {spike.stdout}{spike.stderr}{core_said}") from error
