"""What measures, records figures in docs/data, and writes the pages and pictures that show them:
`run.py NAME`, as the targets of make do."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.area import boards  # noqa: E402
from tools.area import run as area  # noqa: E402
from tools.images import page  # noqa: E402
from tools.measures import caches, dma, entries, flush, linux, stalls  # noqa: E402
from tools.waves import run as waves  # noqa: E402

COMMANDS = {
    "caches": caches.main,
    "dma": dma.pages,
    "dma-documents": dma.documents,
    "tlb-modes": dma.modes,
    "flush": flush.main,
    "entries": entries.main,
    "va-bits": entries.va_bits,
    "stalls": stalls.main,
    "linux-documents": linux.main,
    "linux-console": linux.console,
    "area": area.main,
    "boards": boards.main,
    "page-size": page.main,
    "waves": waves.main,
}

if __name__ == "__main__":
    click.Group(commands=COMMANDS, help=__doc__)()
