"""The shell blocks of README and docs, and how a test runs them.

A block is one that is fenced without a language, or as `sh`, and begins with a command. It is run
as it stands, except that names of students become one that no student has. It ends with status 0,
or with the one that the table names for it.
"""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from support.make import environment
from support.root import ROOT

PAGES = [
    *(f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY")),
    "sw/README.md",
    *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md")),
]
FENCED = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)```$", re.M)
COMMAND = re.compile(r"(\$ |make |python3 |git |grep |build/|\.venv/bin/|[A-Z]+=\S+ |[\w-]+/bin/)")
# What a student is called in the docs, and in the tests.
STUDENT, NOBODY = "anna", "shell-block"
SECONDS = 1800


@dataclass(frozen=True)
class Block:
    """`line` is that of its first command."""

    page: str
    line: int
    text: str

    @property
    def name(self) -> str:
        """Where it is, as the table says it: lines move, first commands hardly."""
        return f"{self.page}: {self.text.splitlines()[0]}"

    @property
    def script(self) -> str:
        return self.text.replace(STUDENT, NOBODY)


# `quick`: patterns. The others are by name of a block. `before`: what somebody has done before.
# `status`: with which one its last command ends, if that is not 0. `not_run`: why not.
TABLE = SimpleNamespace(**tomllib.loads((Path(__file__).parent / "shell.toml").read_text()))


def is_quick(block: Block) -> bool:
    """Each command has a pattern: it needs nothing that is built."""
    commands = [line for line in block.text.splitlines() if COMMAND.match(line)]
    return all(any(re.search(q, line) for q in TABLE.quick) for line in commands)


def blocks_of(page: str, text: str) -> Iterator[Block]:
    for found in FENCED.finditer(text):
        if found[1] in ("", "sh") and COMMAND.match(found[2]):
            yield Block(page, text.count("\n", 0, found.start(2)) + 1, found[2])


def blocks() -> list[Block]:
    return [b for page in PAGES for b in blocks_of(page, (ROOT / page).read_text())]


def missed(text: str) -> list[str]:
    """First lines of what is no block, and begins with the name of a program."""
    first = [m[2].splitlines()[0] for m in FENCED.finditer(text) if m[1] in ("", "sh") and m[2]]
    others = (line for line in first if not COMMAND.match(line))
    return [line for line in others if shutil.which(line.split(maxsplit=1)[0])]


def run(block: Block, before: str = "") -> subprocess.CompletedProcess:
    """In the checkout, as somebody would, without a terminal."""
    script = f"set -e\n{before.replace(STUDENT, NOBODY)}\n{block.script}"
    return subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False,
    )  # fmt: skip


def tidy() -> None:
    """Takes away what the blocks made for a student who is nobody."""
    for folder in (*ROOT.glob(f"build/labs/*{NOBODY}*"), ROOT / "handed-in" / NOBODY):
        shutil.rmtree(folder, ignore_errors=True)
    (ROOT / f"{NOBODY}.json").unlink(missing_ok=True)
    if (ROOT / "handed-in").is_dir() and not any((ROOT / "handed-in").iterdir()):
        (ROOT / "handed-in").rmdir()
