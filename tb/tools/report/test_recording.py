"""The moving picture shows what was on the console, all of it, one scene after the other."""

import re
from xml.etree import ElementTree

import pytest

from tools.report.recording import NoAnswer, Scene, picture, scene

CONSOLE = """\
Granule firmware
  granule      4 KiB
  levels       3 (L1 to L3), 512 entries a table
  other        no

granule> walk 0x100000
0x00100000 is an address
  level 1
granule> exit
"""


def test_a_scene_is_banner_and_answer():
    made = scene("4k", CONSOLE)
    assert made.command == 'make run BOOT="pagesize=4k run=console"'
    assert made.lines[0] == "  granule      4 KiB" and "other" not in "".join(made.lines)
    assert made.lines[-4:] == ["granule> walk 0x100000", "0x00100000 is an address", "  level 1",
                               "granule> "]  # fmt: skip


@pytest.mark.parametrize("without", ["granule> walk 0x100000", "granule> exit", "  levels "])
def test_a_console_that_did_not_answer_is_refused(without):
    with pytest.raises(NoAnswer):
        scene("4k", CONSOLE.replace(without, "x"))


def test_every_line_is_drawn_and_scenes_do_not_overlap():
    scenes = [Scene("first", ["a <b>", ""]), Scene("second", ["c"])]
    text = picture(scenes)
    texts = [e.text for e in ElementTree.fromstring(text).iter() if e.tag.endswith("text")]
    assert [t for t in texts if t] == ["$ first", "a <b>", "$ second", "c"]
    ends = {m[0]: float(m[1]) for m in re.findall(r"@keyframes s(\d)l\d .* ([\d.]+)% { v\S+ hidden"
                                                  r" } 100%", text)}  # fmt: skip
    starts = re.findall(r"@keyframes s1l\d { 0% { v\S+ hidden } ([\d.]+)%", text)
    assert ends["0"] <= min(map(float, starts)) and ends["1"] == 100
