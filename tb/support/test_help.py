"""`make help`: a list of groups with times, and with ALL=1 every target that has a text."""

import re

from support.host import output
from support.make import environment
from support.root import ROOT


def targets(*arguments: str) -> list[str]:
    said = output("make", "help", *arguments, env=environment())
    return re.findall(r"^  .*", said.split("\nVariables [current value]:\n")[0], re.M)


def test_help_lists_targets_with_their_times_and_all_of_them_on_request():
    timed = r"  [a-z-]+ +(seconds|a minute|\d+ (min|h)) +\w"
    assert [bool(re.match(timed, line)) for line in targets()] == [True] * 30
    files = output("git", "ls-files", "Makefile", "*.mk").split()
    texts = "".join((ROOT / name).read_text() for name in files)
    every = re.findall(r"^([a-z-]+):[^#\n]*## ", texts, re.MULTILINE)
    assert {line.split()[0] for line in targets("ALL=1")} == set(every)
