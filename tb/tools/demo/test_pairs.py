"""Document 003 at one place of code and data: a verdict that differs from the published one is in
docs/data/stale.toml with its reason. tb/system/sw/test_experiments.py asks the other documents."""

from pathlib import Path

import pytest

from figures import boots, scoreboard, stale
from figures.rows import row_of
from support.make import built

pytestmark = pytest.mark.xdist_group("pairs")
ROWS = ("H3.5", "H3.6", "H3.7", "H3.8", "H3.12", "H3.13")


def test_document_003_is_judged_as_published(tmp_path: Path) -> None:
    built("build/granule-sim")
    boot = boots.Boot(boots.plans()["e003-plain"], "teaching", "4k")
    for image in boot.images:
        built(f"build/{image}/granule.elf")
    measured = scoreboard.lines(map(row_of, boots.run(boot, tmp_path).figures))
    mine = {row.entry.id for row in measured if row.found and row.found.source == "this run"}
    assert mine.issuperset(ROWS)
    assert stale.unlisted(scoreboard.lines(), measured) == []
