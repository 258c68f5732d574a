"""The folder of the blocks for other systems, and its archive.

The generator writes Verilog, C headers, pages and registers: rtl/src/granule/gen/Release.scala.
Here come what FuseSoC and LiteX read, SystemRDL, checksums and SPDX."""

import gzip
import io
import json
import shutil
import tarfile
import tomllib
from pathlib import Path

from support.root import ROOT
from tools.dist import rdl, spdx

SOURCES = Path(__file__).parent / "blocks"
NAME = "granule-blocks"
BLOCKS = {
    "mmu": "MMU with its registers: two ports of translation, walker, TLBs",
    "cache": "Instruction and data cache with ID registers, AXI4",
    "bridge": "AXI4 bridge for devices: virtual addresses in, physical ones out",
}
CORE = """CAPI=2:
# SPDX-License-Identifier: Apache-2.0
name: granule:blocks:{block}:{version}
description: "{description}"

filesets:
  rtl:
    files: [granule_{block}.v: {{file_type: verilogSource}}]

targets:
  default: &default
    filesets: [rtl]
    toplevel: granule_{block}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wno-fatal, -Wno-lint, -Wno-style]
"""


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def undated(page: str) -> str:
    """Without the line that has the time of generation."""
    return "\n".join(line for line in page.splitlines() if '<p class="info">' not in line) + "\n"


def complete(generated: Path, out: Path) -> None:
    """From the generated folders of the blocks to what the archive has."""
    if out.exists():
        shutil.rmtree(out)
    for block, description in BLOCKS.items():
        name, source, folder = f"granule_{block}", generated / block, out / block
        folder.mkdir(parents=True)
        for kind in ("v", "h"):
            shutil.copyfile(source / f"{name}.{kind}", folder / f"{name}.{kind}")
        (folder / f"{name}.html").write_text(undated((source / f"{name}.html").read_text()))
        registers = rdl.systemrdl(name, (source / f"{name}.json").read_text())
        (folder / f"{name}.rdl").write_text(registers)
        core = CORE.format(block=block, version=version(), description=description)
        (folder / f"{name}.core").write_text(core)
    for path in SOURCES.iterdir():
        if path.is_file():
            shutil.copyfile(path, out / path.name)
    shutil.copyfile(ROOT / "LICENSE", out / "LICENSE")
    document = spdx.document(NAME, version(), out)
    (out / f"{NAME}.spdx.json").write_text(json.dumps(document, indent=1) + "\n")
    (out / "SHA256SUMS").write_text(spdx.sums(out))


def archive(folder: Path, to: Path) -> None:
    """The same bytes from the same files: names in order, no times, no owners."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in spdx.files(folder):
            entry = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder)}")
            entry.size, entry.mode = path.stat().st_size, 0o644
            tar.addfile(entry, io.BytesIO(path.read_bytes()))
    to.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
