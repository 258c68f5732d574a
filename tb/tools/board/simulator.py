"""Starts granule-board-sim with its serial line on a pseudo terminal."""

import contextlib
import os
import pty
import re
import subprocess
import sys
import tty
from collections.abc import Iterator
from pathlib import Path

import click

from support.run import ROOT

SIMULATOR = ROOT / "build" / "granule-board-sim"
# Clock of the simulated board, and the speed at which its serial line costs the least time.
MHZ = int(re.search(r"^MHZ_85 *:= *(\d+)", (ROOT / "fpga/ulx3s/board.mk").read_text(), re.M)[1])
FASTEST = MHZ * 1_000_000 // 8


@contextlib.contextmanager
def running(*arguments: str, simulator: Path = SIMULATOR) -> Iterator[int]:
    """The near end of the serial line, while the simulator runs."""
    near, far = pty.openpty()
    tty.setraw(near)
    tty.setraw(far)
    process = subprocess.Popen([simulator, *arguments], stdin=far, stdout=far)
    try:
        yield near
    finally:
        process.terminate()
        process.wait(30)
        os.close(near)
        os.close(far)


@click.command()
@click.argument("arguments", nargs=-1)
def main(arguments: tuple[str, ...]) -> None:
    """Runs the board's simulator; its serial line looks like a device."""
    near, far = pty.openpty()
    tty.setraw(near)
    process = subprocess.Popen([SIMULATOR, *arguments], stdin=near, stdout=near)
    click.echo(f"board-sim: serial line at {os.ttyname(far)}", err=True)
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(process.wait())
