"""How programs for the simulated machine are compiled. It needs nothing of the bench: labs compile
on computers that have none."""

from support.root import ROOT

PROGRAMS = ROOT / "tb" / "sim" / "programs"
CROSS = "riscv64-unknown-elf-gcc"
ARCHITECTURE = ["-march=rv32ima_zicsr_zifencei", "-mabi=ilp32"]
LINK = ["-nostdlib", "-static", "-Wl,-n", "-Wl,--no-warn-rwx-segments"]
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
CFLAGS = ["-std=gnu11", "-O2", "-g", "-mcmodel=medany", "-ffreestanding", "-fno-builtin"]
COMPILER = [CROSS, *ARCHITECTURE, *LINK, *WARNINGS, *CFLAGS]
