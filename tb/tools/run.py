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
    "changes": "campaigns.changes.run",
    "conformance": "campaigns.conformance.run",
    "cover-points": "tools.covers.run",
    "coverage": "campaigns.coverage.run",
    "demo": "tools.demo.run",
    "dist": "tools.dist.run",
    "dma": "tools.measures.dma:pages",
    "dma-documents": "tools.measures.dma:documents",
    "entries": "tools.measures.entries",
    "flush": "tools.measures.flush",
    "formal": "formal.run",
    "fuzz-mm": "system.sw.fuzz_mm",
    "house": "tools.house.run",
    "invalidation": "campaigns.invalidation.run",
    "kills": "campaigns.mutants.kills",
    "linux-console": "tools.measures.linux:console",
    "linux-documents": "tools.measures.linux",
    "litmus": "campaigns.litmus.run",
    "lockstep": "campaigns.lockstep.run",
    "matrix": "campaigns.matrix.run",
    "mutants": "campaigns.mutants.run",
    "netlist": "tools.board.netlist",
    "nightly": "tools.nightly.run",
    "page-size": "tools.images.page",
    "page-sizes": "tools.measures.sizes",
    "picture": "web.picture",
    "program": "tools.board.program",
    "publish": "tools.report.publish",
    "recording": "tools.report.recording",
    "renew": "figures.renew",
    "report": "tools.report.run",
    "soak": "campaigns.soak.run",
    "soak-bridge": "campaigns.soak.bridge",
    "soak-linux": "campaigns.linux.run",
    "stalls": "tools.measures.stalls",
    "tlb-modes": "tools.measures.dma:modes",
    "twin": "campaigns.twin.run",
    "upload": "tools.board.upload",
    "va-bits": "tools.measures.entries:va_bits",
    "vectors": "tools.report.vectors",
    "waves": "tools.waves.run",
    "web": "tools.web.run",
}

if __name__ == "__main__":
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in COMMANDS:
        sys.exit(f"run.py: no command '{name}'; there are: {', '.join(COMMANDS)}")
    sys.argv[0] += f" {name}"
    module, _, function = COMMANDS[name].partition(":")
    getattr(import_module(module), function or "main")()
