"""Assembles the test programs of tb/unit/cpu/asm."""

import functools
import struct
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "asm"
GCC = "riscv64-unknown-elf-gcc"
OBJCOPY = "riscv64-unknown-elf-objcopy"
FLAGS = [
    "-march=rv32ima_zicsr_zifencei",
    "-mabi=ilp32",
    "-nostdlib",
    "-mno-relax",
    "-Wl,-Ttext=0x80000000",
    "-Wl,--no-warn-rwx-segments",
]


def names() -> list[str]:
    """With the folder of those that have one."""
    return sorted(str(p.relative_to(FOLDER).with_suffix("")) for p in FOLDER.rglob("*.S"))


def description(name: str) -> str:
    """The head comment of a program."""
    text = (FOLDER / f"{name}.S").read_text()
    return " ".join(text[2 : text.index("*/")].replace("\n *", "\n").split())


@functools.cache
def words(name: str) -> list[int]:
    with tempfile.TemporaryDirectory() as folder:
        elf, binary = Path(folder) / "program.elf", Path(folder) / "program.bin"
        subprocess.run([GCC, *FLAGS, "-o", elf, FOLDER / f"{name}.S"], check=True)
        subprocess.run([OBJCOPY, "-O", "binary", elf, binary], check=True)
        image = binary.read_bytes()
    image += bytes(-len(image) % 4)
    return list(struct.unpack(f"<{len(image) // 4}I", image))
