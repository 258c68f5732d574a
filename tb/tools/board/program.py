"""`make prog` and `make flash`: the first program that is installed writes the bitstream."""

import shlex
import shutil
import subprocess
from pathlib import Path

import click


@click.command()
@click.option("--bitstream", type=click.Path(path_type=Path), required=True)
@click.option("--with", "commands", required=True, help="commands, best first, separated by |")
@click.option("--build", required=True, help="command that builds the bitstream")
def main(bitstream: Path, commands: str, build: str) -> None:
    """Programs a board; says what is missing when it cannot."""
    if not bitstream.exists():
        raise click.ClickException(f"{bitstream} does not exist; build it with '{build}'")
    choices = [shlex.split(command) for command in commands.split("|")]
    installed = [choice for choice in choices if shutil.which(choice[0])]
    if not installed:
        names = " or ".join(choice[0] for choice in choices)
        raise click.ClickException(
            f"no program for the board is installed; install {names} "
            f"(Debian: apt-get install {choices[0][0].lower()})"
        )
    command = [*installed[0], str(bitstream)]
    click.echo(f"running {shlex.join(command)}")
    if subprocess.run(command, check=False).returncode != 0:
        raise click.ClickException(
            f"{command[0]} did not find or program the board: is it connected to the USB socket "
            "US1, and may you open the device (udev rule, or root)?"
        )
