"""The commands behind the targets of make: `run.py NAME ...`. Each is imported alone: it needs no
other's packages."""

import sys
from importlib import import_module
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])
# Module, and the name in it if that is not `main`.
COMMANDS = {
    "area": "tools.area.run",
    "bitstream": "tools.board.bitstream",
    "board-sim": "tools.board.simulator",
    "boards": "tools.area.boards",
    "caches": "tools.measures.caches",
    "campaign": "tools.demo.campaign",
    "cover-points": "tools.covers.run",
    "demo": "tools.demo.run",
    "dma": "tools.measures.dma:pages",
    "dma-documents": "tools.measures.dma:documents",
    "entries": "tools.measures.entries",
    "flush": "tools.measures.flush",
    "linux-console": "tools.measures.linux:console",
    "linux-documents": "tools.measures.linux",
    "netlist": "tools.board.netlist",
    "nightly": "tools.nightly.run",
    "page-size": "tools.images.page",
    "program": "tools.board.program",
    "publish": "tools.report.publish",
    "recording": "tools.report.recording",
    "renew": "figures.renew",
    "report": "tools.report.run",
    "stalls": "tools.measures.stalls",
    "tlb-modes": "tools.measures.dma:modes",
    "upload": "tools.board.upload",
    "va-bits": "tools.measures.entries:va_bits",
    "vectors": "tools.report.vectors",
    "waves": "tools.waves.run",
}

if __name__ == "__main__":
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in COMMANDS:
        sys.exit(f"run.py: no command '{name}'; there are: {', '.join(COMMANDS)}")
    sys.argv[0] += f" {name}"
    module, _, function = COMMANDS[name].partition(":")
    getattr(import_module(module), function or "main")()
