"""The stress of sw/linux/user/test on Linux on Granule for some minutes, one seed after the other,
and the same seeds on QEMU: every checksum must be equal."""

import sys
import threading
import time
from dataclasses import dataclass, field

import click

from support.run import ROOT
from system.linux import guest

SIMULATORS = {"teaching": "granule-sim", "ulx3s": "granule-sim-ulx3s"}
QEMU_SECONDS = 3600


def command(seed: int, rounds: int) -> str:
    """More processes than there are address space numbers, then stress; a failure ends it."""
    stress = f"s={seed}; while granule-test stress $s {rounds}; do s=$((s+1)); done"
    return f"granule-test fork {seed} && {{ {stress}; }}"


@dataclass
class Machine:
    """One simulator, and what its console said."""

    name: str
    argv: list[str]
    found: guest.Checksums = field(default_factory=dict)
    console: list[str] = field(default_factory=list)
    ended: bool = False

    def run(self, seconds: float) -> None:
        try:
            for line in guest.lines(self.argv, seconds):
                self.console.append(line)
                self.found |= guest.checksums([line])
        except TimeoutError:
            return
        self.ended = True


def on_qemu(seed: int, rounds: int, wanted: set) -> guest.Checksums:
    """The checksums of these seeds; fewer when QEMU fails."""
    found: guest.Checksums = {}
    for line in guest.lines(guest.qemu(command(seed, rounds)), QEMU_SECONDS):
        found |= guest.checksums([line])
        if wanted <= found.keys():
            break
    return found


def differences(machine: Machine, reference: guest.Checksums) -> list[str]:
    wrong = []
    if machine.ended or not machine.found:
        tail = "\n  ".join(machine.console[-12:])
        state = "ended by itself" if machine.ended else "finished no seed"
        wrong.append(f"{machine.name}: {state}; the last lines of its console:\n  {tail}")
    for key, value in machine.found.items():
        if reference.get(key) != value:
            name, seed, rounds = key
            wrong.append(
                f"{machine.name}: granule-test {name} {seed} {rounds} gives {value}, "
                f"QEMU {reference.get(key, 'nothing')}"
            )
    return wrong


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0.1), default=30, show_default=True)
@click.option("--seed", type=click.IntRange(1, 2**31), default=1, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=20, show_default=True)
def main(minutes: float, seed: int, rounds: int) -> None:
    machines = [
        Machine(name, guest.granule(command(seed, rounds), ROOT / "build" / simulator))
        for name, simulator in SIMULATORS.items()
    ]
    runs = [threading.Thread(target=m.run, args=(minutes * 60,)) for m in machines]
    print(f"soak-linux: seeds from {seed}, {rounds} rounds each, {minutes:g} minutes", flush=True)
    started = time.monotonic()
    for thread in runs:
        thread.start()
    while any(thread.is_alive() for thread in runs):
        runs[0].join(60)
        done = ", ".join(f"{m.name} {len(m.found)} seeds" for m in machines)
        print(f"soak-linux: {(time.monotonic() - started) / 60:.1f} minutes: {done}", flush=True)
        for thread in runs[1:]:
            thread.join(0.1)
    reference = on_qemu(seed, rounds, {key for m in machines for key in m.found})
    wrong = [line for m in machines for line in differences(m, reference)]
    for line in wrong:
        print(line)
    compared = sum(len(m.found) for m in machines)
    print(f"soak-linux: {compared - len(wrong)} checksums as QEMU's, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)
