"""What is in an image of the firmware: sizes of its parts, and the instructions of boot."""

import struct
from pathlib import Path
from typing import NamedTuple

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

# The opcodes of sw/lib/runtime_const.h: no core of ours knows them.
TRAPPING = (0x0B, 0x2B)
# By the first flag that a section has; else it is no part of an image.
PARTS = {
    SH_FLAGS.SHF_EXECINSTR: "text",
    SH_FLAGS.SHF_WRITE: "data",
    SH_FLAGS.SHF_ALLOC: "rodata",
}


class Size(NamedTuple):
    """Bytes of code, of constants, and of what may be written."""

    text: int = 0
    rodata: int = 0
    data: int = 0

    @staticmethod
    def of(path: Path) -> "Size":
        """What one object adds to an image, without the padding between objects and segments."""
        found = dict.fromkeys(PARTS.values(), 0)
        with path.open("rb") as file:
            for section in ELFFile(file).iter_sections():
                flags = section["sh_flags"]
                if part := next((part for flag, part in PARTS.items() if flags & flag), None):
                    found[part] += section["sh_size"]
        return Size(**found)


def loaded_bytes(elf: Path) -> int:
    """What is stored: the segments' bytes in the file, without debug information."""
    with elf.open("rb") as file:
        return sum(s["p_filesz"] for s in ELFFile(file).iter_segments("PT_LOAD"))


def words(elf: Path, section: str) -> dict[int, int]:
    with elf.open("rb") as file:
        found = ELFFile(file).get_section_by_name(section)
        start, data = found["sh_addr"], found.data()
    whole = struct.iter_unpack("<I", data + bytes(-len(data) % 4))
    return {start + 4 * i: word for i, (word,) in enumerate(whole)}


def symbol(elf: Path, name: str) -> int:
    with elf.open("rb") as file:
        return ELFFile(file).get_section_by_name(".symtab").get_symbol_by_name(name)[0]["st_value"]


def trapping_instructions(elf: Path) -> set[int]:
    """Addresses of instructions that trap until boot has written their immediates."""
    return {at for at, word in words(elf, ".text").items() if word & 0x7F in TRAPPING}


def patch_sites(elf: Path) -> list[int]:
    """What the image says of them: the table that boot goes through."""
    table = words(elf, ".rodata")
    first, end = symbol(elf, "__start_runtime_sites"), symbol(elf, "__stop_runtime_sites")
    return [table[at] for at in range(first, end, 4)]


def with_word(elf: Path, address: int, word: int, copy: Path) -> Path:
    """A copy of the image with another word at an address of its segments."""
    image = bytearray(elf.read_bytes())
    with elf.open("rb") as file:
        offset = next(ELFFile(file).address_offsets(address, 4))
    image[offset : offset + 4] = word.to_bytes(4, "little")
    copy.write_bytes(image)
    return copy
