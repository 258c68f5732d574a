"""The figures of the experiments do not hang on where unrelated code lies in the firmware."""

import re
import subprocess
from pathlib import Path

import pytest

from demo.figures import split
from soc.simulator import simulate
from support.run import ROOT, built

CROSS = "riscv64-unknown-elf-"
OBJECTS = ROOT / "build" / "sw"
WAY = 4096  # the smallest way of an instruction cache of ours
# Nops before a file: much in cold code, a line in code that every fault runs.
PLACES = {"console/console.c": 256, "kernel/entry.S": 16}

pytestmark = pytest.mark.xdist_group("experiments")


def symbols(elf: Path) -> dict[str, int]:
    """Addresses by name."""
    text = subprocess.run([f"{CROSS}nm", elf], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, _, name in re.findall(r"(\w+) (\w) (\S+)\n", text)}


def test_measured_user_code_has_cache_sets_of_its_own() -> None:
    """No hot code of the kernel shares a set with kernbench, wherever the user's page lies."""
    at = symbols(built("build/sw/granule.elf"))
    first = (at["user_kernbench"] - at["__user_start"]) % WAY
    assert at["__user_end"] - at["__user_start"] <= WAY
    ends = [at[name] for name in at if name.startswith("__hot_end_")]
    assert len(ends) == 6
    assert all(0 < end % WAY <= first for end in ends)


def with_nops(folder: Path, place: str, count: int) -> Path:
    """The firmware with code that nobody runs before one of its files."""
    built("build/sw/granule.elf")
    copy = folder / place
    copy.parent.mkdir(parents=True)
    nops = folder / "nops.S"
    nops.write_text(f"    .text\n    .rept {count}\n    nop\n    .endr\n")
    flags = ["-march=rv32im", "-mabi=ilp32"]
    subprocess.run([f"{CROSS}gcc", *flags, "-c", nops, "-o", folder / "nops.o"], check=True)
    # One object of the file's own name, so that the linker script puts both to the file's place.
    both = [folder / "nops.o", OBJECTS / f"{place}.o"]
    subprocess.run([f"{CROSS}ld", "-melf32lriscv", "-r", *both, "-o", f"{copy}.o"], check=True)
    objects = [p for p in sorted(OBJECTS.rglob("*.o")) if "loader" not in p.parts]
    objects = [Path(f"{copy}.o") if p == both[1] else p for p in objects]
    elf = folder / "granule.elf"
    link = ["-nostdlib", "-static", "-Wl,--no-warn-rwx-segments", "-T", OBJECTS / "granule.lds"]
    subprocess.run([f"{CROSS}gcc", *flags, *link, "-o", elf, *objects, "-lgcc"], check=True)
    return elf


def user_cycles(elf: Path) -> tuple[float, list[int]]:
    """H0.3 and the user cycles of both arms."""
    run = simulate(elf, "--append", "pagesize=4k run=e000", config="ulx3s")
    lines, figures = split(run.out.replace("\r", ""), "ulx3s")
    assert run.status == 0, run.out
    ratio = next(figure.value for figure in figures if figure.id == "H0.3")
    arms = [re.match(r"  (?:highmem|lowmem \(nohigh\)) +\d+ +(\d+)", line) for line in lines]
    return ratio, [int(arm[1]) for arm in arms if arm]


def test_unrelated_code_moves_no_user_cycle(tmp_path) -> None:
    """More code, cold or hot: H0.3 moves by less than 0.2 %, user cycles by less than 0.1 %."""
    ratio, arms = user_cycles(built("build/sw/granule.elf"))
    for place, count in PLACES.items():
        elf = with_nops(tmp_path / place.replace("/", "-"), place, count)
        moved, moved_arms = user_cycles(elf)
        assert moved == pytest.approx(ratio, abs=0.002), place
        assert moved_arms == pytest.approx(arms, rel=0.001), place
