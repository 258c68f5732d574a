"""What archives are made of: registers as SystemRDL, licences of files, and what keeps a release
back."""

import json

from support.root import ROOT
from tools.dist import pack, rdl, run

FIELD = {"name": "level", "pos": {"start": 1, "end": 3}, "width": 3, "reset": 5}
FIELD["doc"] = 'its "level"'


def block(access: str) -> str:
    reserved = {**FIELD, "name": "--", "access": "NA"}
    register = {"name": "CONTROL", "addr": 16, "doc": "what it does"}
    return json.dumps(
        {"datawidth": 32, "slices": [register | {"fields": [FIELD | {"access": access}, reserved]}]}
    )


def test_a_field_has_its_bits_and_its_reset() -> None:
    text = rdl.systemrdl("granule_x", block("RW"))
    assert "\\level[3:1] = 3'h5;" in text and "\\control @ 0x10;" in text
    assert 'desc = "its \\"level\\"";' in text
    assert text.count("field {") == 1  # none for what is reserved


def licences(tmp_path, names: list[str], said: dict[str, str]) -> dict[str, str]:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    listed = pack.document("a", "1", tmp_path, said)
    return {f["fileName"].removeprefix("./"): f["licenseConcluded"] for f in listed["files"]}


def test_patches_of_linux_have_the_licence_of_linux(tmp_path):
    patch = "sw/linux/patches/0001-a.patch"
    names = [patch, "sw/linux/patches.md", "LICENSE", "build/program"]
    assert licences(tmp_path, names, {"build/program": "MIT"}) == {
        patch: "GPL-2.0-only",
        "sw/linux/patches.md": "Apache-2.0",
        "LICENSE": "Apache-2.0",
        "build/program": "MIT",
    }


def test_pages_have_the_version_of_the_package():
    assert run.other_versions(ROOT, pack.version()) == []


def test_what_is_stale_or_changed_keeps_it_back():
    assert run.problems({}, "0123456789") == []
    (said,) = run.problems({"H4.1": "to be measured"}, "0123456789")
    assert said == "docs/data/stale.toml lists H4.1: to be measured"
    assert run.problems({}, "0123456789-dirty") == ["files are changed and not committed"]


def test_a_page_of_another_version_is_named(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 9.0.0\n\n## 0.1.0\n")
    (tmp_path / "CITATION.cff").write_text("version: 9.1.0\n")
    (said,) = run.other_versions(tmp_path, "9.1.0")
    assert said == "CHANGELOG.md says 9.0.0, pyproject.toml 9.1.0"
