"""The list of contents at the head of docs/decisions.md, by subject. New sections are appended to
that file in the order in which things were decided."""

import re

from support.root import ROOT

PAGE = ROOT / "docs" / "decisions.md"
LAST = "Firmware"  # of sections that no other theme names
# Words of headings, first match wins.
THEMES = {
    "Linux": r"Linux",
    "How the sources are arranged": r"^A folder for|rooms of their own|Imports go"
    r"|Parts of the library|Where a field|three files|pip install",
    "How it is tested": r"twin|Every event|Random tables|random runs|Checks that"
    r"|bus model|Spike|second reader|mm/ on the host|Timing diagrams|Litmus|^The matrix"
    r"|^Proofs|^Checks and cover|^Defects that|test's group",
    "Reports and console": r"Ctrl-C|console|report|README|^Labs? |^Labs:|^Notebooks|^The page",
    "Figures and documents": r"^Document|H\d\.\d|\bdemo\b|[Ff]igures|spread|published|sixteenth"
    r"|fixed image",
    "TLB and invalidation": r"TLB|[Ii]nvalidat|entries that overlap|writable-clean|range is widened"
    r"|Sizes are compared|sfence|\bsatp\b|contiguous hint|^One MMU",
    "Walks and formats": r"walk|descriptor|[Tt]able format|Permissions|LPA|swap|Sv32|^AT\b"
    r"|block larger|High address bits|MMFR3|translation system",
    "Core and interfaces": r"L1 caches ask|translate command|Bare|64-bit registers|AXI"
    r"|traps in write-back|PMP|cbo|Uncached|interconnect|Late answers|late ends|branch|CSR"
    r"|access that asked|without an instruction|drivers for|serial port|[Ll]oader|engine compares",
    "Caches": r"[Cc]ache|way is|colour",
    "How things are built and measured": r"simulator|unit alone|Images of|folder each|slowest path"
    r"|^Blocks for other|student's Scala",
}


def theme(heading: str) -> str:
    return next((name for name, words in THEMES.items() if re.search(words, heading)), LAST)


def slug(heading: str) -> str:
    """What GitHub makes of it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def contents(text: str) -> str:
    """A line a theme, with links to its sections."""
    headings = re.findall(r"^## (.*)$", text, re.M)
    lines = []
    for name in (*THEMES, LAST):
        mine = [f"[{h}](#{slug(h)})" for h in headings if theme(h) == name]
        if mine:
            lines.append(f"- **{name}**: " + "; ".join(mine))
    return "\n".join(lines)
