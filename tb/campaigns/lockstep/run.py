"""Lock-step with Spike: every RISC-V test program, then Linux. After each instruction all registers
are compared, after each trap what it leaves behind, at the end all of memory. Writes
build/results/lockstep.json.

Devices, time, counters and the moment of an interrupt are the core's; Spike cannot know them.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from campaigns.lockstep.pair import Outcome, compare  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from system.riscv.build import physical_program, programs, virtual_program  # noqa: E402

LINUX = ROOT / "build" / "linux" / "boot.elf"
LINUX_MEMORY = 32 << 20
LINUX_ARGUMENTS = "console=hvc0 panic=-1 -- granule-test quick"
CYCLES = ("--max-cycles", str(10**9))  # ends a program that does not


def test_programs() -> list[Path]:
    """All but those of sv32/, which look at entries that a TLB may still have."""
    physical = [physical_program(name) for name in programs("user") + programs("machine")]
    return physical + [virtual_program(name) for name in programs("user")]


def outcomes(config: str, instructions: int) -> Iterator[Outcome]:
    for elf in test_programs():
        yield compare(elf, config, instructions, *CYCLES)
    if LINUX.exists():
        yield compare(
            LINUX, config, instructions, *CYCLES,
            lowmem=LINUX_MEMORY, highmem=0, append=LINUX_ARGUMENTS,
        )  # fmt: skip
    else:
        print(f"{LINUX.relative_to(ROOT)} is not there: test programs only; make linux builds it")


def show(outcome: Outcome) -> None:
    verdict = "equal" if not outcome.differences else f"{outcome.differences} DIFFERENCES"
    print(
        f"{outcome.program:24} {outcome.instructions:>11,} instructions, {outcome.under_sv32:,} "
        f"under Sv32, {outcome.traps:,} traps, {outcome.stores:,} stores: {verdict}",
        flush=True,
    )
    if outcome.differences:
        print(outcome.report)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instructions", type=int, required=True, help="of each program, at most")
    parser.add_argument("--config", default="teaching")
    options = parser.parse_args()
    done = []
    for outcome in outcomes(options.config, options.instructions):
        show(outcome)
        done.append(outcome)
    figures = [{k: v for k, v in asdict(o).items() if k != "report"} for o in done]
    results.write("lockstep", options.config, figures, command="make lockstep")
    return int(any(o.differences for o in done))


if __name__ == "__main__":
    sys.exit(main())
