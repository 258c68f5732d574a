"""`make upload`: sends a program to the loader of a board, starts it, and shows its console."""

import os
import select
import sys
import termios
import tty
from pathlib import Path

import click
from elftools.elf.elffile import ELFFile
from rich.console import Console
from rich.progress import Progress

from tools.board import protocol
from tools.board.protocol import LOADER_BAUD, Frame, Link, LinkFailed

COMMAND_LINE = "boot_command_line"


class Program:
    def __init__(self, path: Path, append: str | None) -> None:
        with path.open("rb") as file:
            elf = ELFFile(file)
            self.entry = elf.header.e_entry
            self.parts = [
                (segment["p_paddr"], bytearray(segment.data()))
                for segment in elf.iter_segments("PT_LOAD")
                if segment["p_filesz"]
            ]
            symbols = elf.get_section_by_name(".symtab")
            found = symbols.get_symbol_by_name(COMMAND_LINE) if symbols else None
        if append is not None and not found:
            raise LinkFailed(f"{path} has no symbol {COMMAND_LINE}: it takes no boot arguments")
        if append is not None:
            self.put(found[0]["st_value"], found[0]["st_size"], append)

    def put(self, address: int, size: int, text: str) -> None:
        data = text.encode() + b"\0"
        if len(data) > size:
            raise LinkFailed(
                f"boot arguments have {len(data)} bytes, the program has room for {size}"
            )
        for start, part in self.parts:
            at = address - start
            if 0 <= at <= len(part) - len(data):
                part[at : at + len(data)] = data
                return
        self.parts.append((address, bytearray(data)))


def plan(program: Program) -> list[Frame]:
    """What puts all parts into memory, and has them checked there."""
    return [
        frame
        for make in (protocol.frames, protocol.checks)
        for address, part in program.parts
        for frame in make(address, bytes(part))
    ]


def upload(link: Link, program: Program, advance=lambda done, total: None) -> None:
    """Sends the program and starts it. Its console begins at LOADER_BAUD, so both ends go back to
    that speed first."""
    todo, done = plan(program), 0
    total = sum(len(frame.payload) for frame in todo)
    for frame in todo:
        link.send(frame)
        done += len(frame.payload)
        advance(done, total)
    if link.baud != LOADER_BAUD:
        link.speed(LOADER_BAUD)
    link.send(Frame(protocol.ENTER, program.entry))


def console(line: int) -> None:
    """Terminal and board until Ctrl-] or the end of the line."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard) if os.isatty(keyboard) else None
    if before:
        tty.setraw(keyboard)
    try:
        while True:
            ready = select.select([line, keyboard], [], [])[0]
            if line in ready:
                data = os.read(line, 4096)
                if not data:
                    return
                os.write(sys.stdout.fileno(), data)
            if keyboard in ready:
                typed = os.read(keyboard, 256)
                if not typed or b"\x1d" in typed:
                    return
                os.write(line, typed)
    finally:
        if before:
            termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


@click.command()
@click.option("--port", required=True, help="serial device of the board")
@click.option("--append", help="boot arguments")
@click.option("--baud", default=LOADER_BAUD, show_default=True, help="speed of the upload")
@click.option("--patience", default=2.0, show_default=True, help="seconds that an answer may take")
@click.option("--console/--no-console", "talk", default=True, help="stay and show the console")
@click.argument("elf", type=click.Path(exists=True, path_type=Path))
def main(elf: Path, append: str | None, talk: bool, **line) -> None:
    """Sends the program ELF to a board."""
    try:
        program = Program(elf, append)
        link = Link(protocol.open_line(line["port"]), line["patience"])
        link.drain()
        if line["baud"] != LOADER_BAUD:
            link.speed(line["baud"])
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task(elf.name)
            upload(link, program, lambda done, total: progress.update(
                task, completed=done, total=total, description=f"{elf.name}, {total} bytes"
            ))  # fmt: skip
        click.echo(f"sent and checked, {link.repeats} frames repeated; Ctrl-] leaves", err=True)
    except LinkFailed as error:
        raise click.ClickException(str(error)) from error
    if talk:
        console(link.line)
