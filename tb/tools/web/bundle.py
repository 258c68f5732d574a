"""Puts the folder for the browser together.

A page that is opened from a file may load scripts, and nothing else: it may not fetch, and a worker
must come from a text that the page has. So each machine is a script that holds its program, packed
and in base64, and the text of the worker that runs it.
"""

import base64
import gzip
import json
import re
import shutil
from pathlib import Path

from tools.web import formats, lab0

MOST_BYTES = 2_000_000
VIEWER = ("viewer", "trace.js")  # the page of a trace has a folder of its own
TRACE_VERSION = 1
MOST_CYCLES = 200_000  # what a browser holds with ease
PART = re.compile(r"<!-- (parts/.+) -->\n")


def packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def constant(name: str, data: bytes) -> str:
    return f'"use strict";\n\nconst {name} = "{packed(data)}";\n'


def machine_script(name: str, build: Path, sources: Path) -> str:
    kind = name.partition("-")[0]
    of_page = [sources / part for part in (f"worker-{kind}.js", "packed.js", "worker.js")]
    code = json.dumps("\n".join(part.read_text() for part in (build / f"{name}.js", *of_page)))
    program = packed((build / f"{name}.wasm").read_bytes())
    return (
        "globalThis.MACHINES ??= {};\n"
        f'MACHINES["{name}"] = {{\n  code: {code},\n  program: "{program}",\n}};\n'
    )


def whole(page: Path) -> str:
    """A page with the parts that it has in common with others; its links say where one is."""
    text = PART.sub(lambda part: (page.parent / part[1]).read_text(), page.read_text())
    here = f'<a href="{page.name}"'
    return text.replace(f"  {here}>", f'  {here} aria-current="page">')


def anew(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def write(sources: Path, build: Path, out: Path) -> int:
    """Bytes of the folder."""
    anew(out)
    machines = sorted(path.stem for path in build.glob("*.wasm"))
    readings = {name: json.loads((build / f"{name}.json").read_text()) for name in machines}
    for path in sources.glob("*.*"):
        if path.name.startswith(("worker", *VIEWER)):
            continue
        if path.suffix == ".html":
            (out / path.name).write_text(whole(path))
        else:
            shutil.copy(path, out)
    (out / "formats.js").write_text(formats.script(readings))
    for name in machines:
        (out / f"machine-{name}.js").write_text(machine_script(name, build, sources))
    (out / "lab0-sheets.js").write_text(constant("LAB0", lab0.content()))
    firmware = build / "firmware.elf"
    if firmware.exists():
        (out / "firmware.js").write_text(constant("FIRMWARE", firmware.read_bytes()))
    size = sum(path.stat().st_size for path in out.iterdir())
    if size > MOST_BYTES:
        raise ValueError(f"{out} has {size} bytes, at most {MOST_BYTES} fit a slow connection")
    return size


def trace_head(trace: Path) -> dict:
    """The first line of a trace, if it is one that the page can show."""
    with trace.open() as file:
        line = file.readline()
        cycles = sum(1 for _ in file)
    try:
        head = json.loads(line)
    except ValueError:
        head = {}
    if not isinstance(head, dict) or head.get("trace") != "granule-mmu":
        raise ValueError(f"{trace} is no trace of the MMU; granule-sim --trace-mmu writes one")
    if head["version"] != TRACE_VERSION:
        raise ValueError(
            f"{trace} has version {head['version']}, this page reads {TRACE_VERSION}: trace again"
        )
    if not 0 < cycles <= MOST_CYCLES:
        raise ValueError(
            f"{trace} has {cycles:,} cycles, the page shows 1 to {MOST_CYCLES:,}: choose them with "
            "--trace-start and --trace-cycles"
        )
    return head


def write_viewer(sources: Path, trace: Path, out: Path) -> None:
    """The folder OUT: the page of one trace, which works from a file."""
    head = trace_head(trace)
    anew(out)
    page = whole(sources / "viewer.html")
    (out / "index.html").write_text(page)
    shutil.copy(sources / "style.css", out)
    for name in re.findall(r'<script src="(.+)">', page):
        if (sources / name).exists():
            shutil.copy(sources / name, out)
    (out / "formats.js").write_text(formats.script({trace.name: head["reading"]}))
    recording = json.dumps({"name": trace.name, "packed": packed(trace.read_bytes())})
    (out / "recording.js").write_text(f"const TRACE = {recording};\n")
