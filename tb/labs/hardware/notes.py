"""The plan that a player is given, and what it notes: files named by the environment."""

import json
import os
from pathlib import Path


def plan() -> list:
    return json.loads(Path(os.environ["LAB_PLAN"]).read_text())


def note(noted: list) -> None:
    Path(os.environ["LAB_NOTED"]).write_text(json.dumps(noted))
