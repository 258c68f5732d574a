"""Compiles a few files of Scala against the RTL as Mill has built it, and writes Verilog with them.
What they define stands before what the RTL has under the same name, so a file of the RTL can be
replaced without a copy of all the others."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from labs import machine
from labs.lab import Trouble
from support.make import built

CLASSPATH = "build/labs/classpath.json"
SECONDS = 300


@cache
def places(task: str) -> str:
    """Where Java finds the classes of a task of Mill."""
    if not shutil.which("java"):
        raise Trouble("this lab needs the whole tool chain: there is no java; run `make setup`")
    try:
        told = json.loads(built(CLASSPATH).read_text())
    except subprocess.CalledProcessError:
        raise Trouble(f"the RTL could not be built; run `make {CLASSPATH}`") from None
    return ":".join(reference.split(":", 3)[-1] for reference in told[f"rtl.{task}"])


def java(classes: Sequence[str], *words: str | Path) -> subprocess.CompletedProcess:
    command = ["java", "-Xss8m", "-cp", ":".join(classes), *map(str, words)]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Trouble(f"it did not end in {SECONDS} s: is there an endless loop?") from None


def compiled(sources: Sequence[Path], classes: Path) -> None:
    """Into the folder `classes`, which is emptied."""
    shutil.rmtree(classes, ignore_errors=True)
    classes.mkdir(parents=True)
    done = java(
        [places("scalaCompilerClasspath")], "scala.tools.nsc.Main", "-nobootcp",
        "-cp", places("runClasspath"), f"-Xplugin:{places('scalacPluginClasspath')}",
        "-deprecation", "-feature", "-d", classes, *sources,
    )  # fmt: skip
    if done.returncode:
        said = re.sub(r"/\S*/(?=\w+\.scala\b)", "", done.stdout + done.stderr)  # without folders
        raise Trouble(f"does not compile:\n{machine.first_lines(said)}")


def generated(classes: Path, unit: str, folder: Path, student: str = "") -> Path:
    """The Verilog of a unit of gen/Units.scala, as UNIT:CONFIG, with these classes in it."""
    done = java([str(classes), places("runClasspath")], "granule.gen.Generate", folder, unit)
    if done.returncode:
        raise Trouble(f"gives no Verilog{reason(done.stdout + done.stderr, student)}")
    return folder / f"{unit.replace(':', '_')}.v"


def reason(said: str, student: str) -> str:
    """What SpinalHDL or Scala says, and the first line of the student's file that it names."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in said.splitlines()]
    skipped = ("[Runtime]", "[Progress]", "[Warning]", "**", "at ", "Error detected")
    told = [line for line in lines if line and not line.startswith(skipped)]
    where = re.search(rf"\(({re.escape(student)}:\d+)\)", said) if student else None
    return f"{f' at {where[1]}' if where else ''}:\n" + "\n".join(told[: machine.SHOWN_LINES])
