"""`make help`: a list that fits a screen, and all of it with ALL=1."""

import re
import subprocess

from support.make import environment
from support.root import ROOT

MOST = 30
GROUPS = ["start", "teach", "build", "Linux", "measure", "verify", "develop"]


def said(*arguments: str) -> tuple[list[str], list[str]]:
    """Lines of targets and of variables."""
    done = subprocess.run(["make", "help", *arguments], cwd=ROOT, env=environment(), check=True,
                          capture_output=True, text=True)  # fmt: skip
    targets, variables = done.stdout.split("\nVariables [current value]:\n")
    return targets.splitlines(), variables.splitlines()


def test_help_has_groups_and_times():
    lines, variables = said()
    assert [line[:-1] for line in lines if re.fullmatch(r"\w+:", line)] == GROUPS
    targets = [line for line in lines if line.startswith("  ")]
    timed = [t for t in targets if re.match(r"  [a-z-]+ +(seconds|a minute|\d+ (min|h)) +\w", t)]
    assert timed == targets and len(targets) == MOST
    for line in (*targets, *variables):  # every text begins below the others
        assert re.match(r"  \S{1,15} +\S", line) and line[17] == " " != line[18], line


def test_every_target_with_a_text_is_listed_with_all():
    names = {line.split()[0] for line in said("ALL=1")[0] if line.startswith("  ")}
    files = subprocess.run(["git", "ls-files", "Makefile", "*.mk"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split()  # fmt: skip
    texts = "".join((ROOT / name).read_text() for name in files)
    assert names == set(re.findall(r"^([a-z-]+):[^#\n]*## ", texts, re.MULTILINE))
