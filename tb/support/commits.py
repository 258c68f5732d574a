"""What was built of a commit when something was measured on it: the day, and digests of the
machines' Verilog and of the firmware. docs/data/commits.json has a line for each commit that a
record names; two commits with the same digests measure the same."""

import hashlib
import json
import re
from datetime import date

from support import results
from support.root import ROOT

FILE = ROOT / "docs" / "data" / "commits.json"
PARTS = {
    "Verilog": ("build/rtl/simsoc_teaching.v", "build/rtl/simsoc_ulx3s.v"),
    "firmware": ("build/sw/granule.elf",),
}
DIGITS = 10
# SpinalHDL names some signals by file and line of Scala, which are not what is measured.
PLACE = re.compile(rb"\b(?:_zz_)*(?:when|switch)_\w+?_l\d+(?:_\d+)*\b")


def without_places(content: bytes) -> bytes:
    """Such names become numbers, in the order in which they appear."""
    seen: dict[bytes, bytes] = {}
    return PLACE.sub(lambda found: seen.setdefault(found[0], b"when_%d" % len(seen)), content)


def digests() -> dict[str, str]:
    """Of each part that is built."""
    found = {}
    for part, names in PARTS.items():
        paths = [ROOT / name for name in names]
        if all(path.exists() for path in paths):
            content = b"".join(without_places(path.read_bytes()) for path in paths)
            found[part] = hashlib.sha256(content).hexdigest()[:DIGITS]
    return found


def known() -> dict[str, dict[str, str]]:
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def note(commit: str) -> None:
    """What is built of a commit that a record names, if that is this checkout's; and no more those
    that no record names."""
    found = digests()
    if commit != results.commit() or found.keys() != PARTS.keys():
        return
    records = "".join(path.read_text() for path in FILE.parent.glob("*.json") if path != FILE)
    named = {*re.findall(r'"commit": "([^"]+)"', records), commit}
    lines = known() | {commit: {"day": date.today().isoformat(), **found}}
    FILE.write_text(results.by_lines({k: v for k, v in sorted(lines.items()) if k in named}))


def said(commit: str) -> str:
    """As pages name the commit of their figures."""
    if not (line := known().get(commit)):
        return f"commit {commit}"
    parts = ", ".join(f"{part} {line[part]}" for part in PARTS)
    return f"commit {commit} of {line['day']} ({parts})"


def is_built(commit: str) -> bool:
    """Whether this checkout's build is what was measured then."""
    line = known().get(commit)
    return line is not None and digests() == {part: line[part] for part in PARTS}
