"""The folder of the blocks for other systems.

The generator writes Verilog, C headers, pages and registers: rtl/src/granule/gen/Release.scala.
Here come what FuseSoC and LiteX read, and SystemRDL."""

import shutil
from pathlib import Path

from tools.dist import rdl
from tools.dist.pack import finish, version

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


def undated(page: str) -> str:
    return "\n".join(line for line in page.splitlines() if '<p class="info">' not in line) + "\n"


def complete(generated: Path, out: Path) -> None:
    """From the generated folders of the blocks to what the archive has."""
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
    finish(out, NAME)
