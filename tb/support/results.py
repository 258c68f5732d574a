"""Figures go to build/results/NAME.json, with what is needed to make them again."""

import json
import subprocess
from pathlib import Path

from support.root import ROOT

RESULTS = ROOT / "build" / "results"

# Makes all rows of the documents; without FULL=1 some are left out.
FULL_DEMO = "make demo FULL=1"


def git(*words: str, root: Path = ROOT) -> str:
    """Nothing where it fails."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def commit() -> str:
    """Short commit hash of the checkout, with '-dirty' when tracked files were changed."""
    return git("describe", "--always", "--dirty", "--abbrev=10", "--exclude=*") or "unknown"


def write(name: str, configuration: str, figures, *, seed=None, command: str, **more) -> Path:
    """Writes one result file. `figures` and each of `more` are any JSON value; `command` makes the
    file again."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    document = {
        "name": name,
        "configuration": configuration,
        "seed": seed,
        "commit": commit(),
        "command": command,
        "figures": figures,
        **more,
    }
    path.write_text(json.dumps(document, indent=1) + "\n")
    return path


def by_lines(document: dict) -> str:
    """JSON that a diff can show: a value of the document a line, and what is in its lists and
    objects a line each."""
    values = []
    for key, value in document.items():
        rows, ends = [], "[]"
        if isinstance(value, list):
            rows = [json.dumps(row) for row in value]
        elif isinstance(value, dict):
            rows, ends = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()], "{}"
        joined = ",\n  ".join(rows)
        text = f"{ends[0]}\n  {joined}\n {ends[1]}" if rows else json.dumps(value)
        values.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(values) + "\n}\n"


def read(name: str) -> dict | None:
    """The result file of that name, or None when it has not been made yet."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None
