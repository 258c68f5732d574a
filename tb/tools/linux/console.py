"""What docs/linux.md shows of a run on `ulx3s`: the last lines of the console of a boot that runs a
command, as the simulator printed them."""

import subprocess
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.page import put  # noqa: E402
from support.run import ROOT, built  # noqa: E402

PAGE = ROOT / "docs" / "linux.md"
SIMULATOR = "build/granule-sim-ulx3s"
COMMAND = "uname -srm; granule-stat md5sum /bin/busybox 2>&1 | grep walks"
FIRST = "Run /init"  # of the kernel's lines, the first that is shown
WIDTH = 100


class NoConsole(click.ClickException):
    """The run did not come to its command."""


def excerpt(console: str) -> str:
    """From the line with FIRST on, for a page: no carriage returns, no line that is too long."""
    lines = [line.strip("\r") for line in console.rstrip().split("\n")]
    first = next((n for n, line in enumerate(lines) if FIRST in line), None)
    if first is None:
        raise NoConsole(f"'{FIRST}' is not on the console; its last lines:\n" + console[-800:])
    return "\n".join(line[:WIDTH].rstrip() for line in lines[first:])


@click.command(help=__doc__)
def main() -> None:
    built(SIMULATOR)
    built("build/linux/boot.elf")
    call = ["make", "-s", "-C", str(ROOT), "run-linux", f"SIM={SIMULATOR}", f"CMD={COMMAND}"]
    run = subprocess.run(call, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    text = excerpt(run.stdout.decode("latin-1"))
    if run.returncode:
        raise NoConsole(f"the command ended with status {run.returncode}:\n{text}")
    shown = f'```\n$ make run-linux SIM={SIMULATOR} CMD="{COMMAND}"\n  ...\n{text}\n```'
    PAGE.write_text(put(PAGE.read_text(), "linux", shown))
    click.echo(PAGE.relative_to(ROOT))


if __name__ == "__main__":
    main()
