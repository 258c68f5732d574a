"""Puts the folder for the browser together.

A page that is opened from a file may load scripts, and nothing else: it may not fetch, and a worker
must come from a text that the page has. So each machine is a script that holds its program, packed
and in base64, and the text of the worker that runs it.
"""

import base64
import gzip
import json
import shutil
from pathlib import Path

from tools.web import formats

MOST_BYTES = 2_000_000


def packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def machine_script(name: str, build: Path, sources: Path) -> str:
    parts = [build / f"{name}.js", sources / f"worker-{name}.js", sources / "worker.js"]
    code = json.dumps("\n".join(part.read_text() for part in parts))
    program = packed((build / f"{name}.wasm").read_bytes())
    return (
        "globalThis.MACHINES ??= {};\n"
        f'MACHINES.{name} = {{\n  code: {code},\n  program: "{program}",\n}};\n'
    )


def write(sources: Path, build: Path, out: Path) -> int:
    """Bytes of the folder."""
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    machines = sorted(path.stem for path in build.glob("*.wasm"))
    readings = {name: json.loads((build / f"{name}.json").read_text()) for name in machines}
    for path in sources.iterdir():
        if not path.name.startswith("worker"):
            shutil.copy(path, out / path.name)
    (out / "formats.js").write_text(formats.script(readings))
    for name in machines:
        (out / f"machine-{name}.js").write_text(machine_script(name, build, sources))
    firmware = build / "firmware.elf"
    if firmware.exists():
        script = f'"use strict";\n\nconst FIRMWARE = "{packed(firmware.read_bytes())}";\n'
        (out / "firmware.js").write_text(script)
    size = sum(path.stat().st_size for path in out.iterdir())
    if size > MOST_BYTES:
        raise ValueError(f"{out} has {size} bytes, at most {MOST_BYTES} fit a slow connection")
    return size
