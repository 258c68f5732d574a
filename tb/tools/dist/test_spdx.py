"""Which licence a file of an archive has."""

from support.root import ROOT
from tools.dist import spdx


def licences(tmp_path, names: list[str], said: dict[str, str]) -> dict[str, str]:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    listed = spdx.document("a", "1", tmp_path, said)
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


def test_license_names_them_and_their_text_is_there():
    text = (ROOT / "LICENSE").read_text()
    for folder, licence in spdx.OTHERS.items():
        assert folder in text and licence in text
        assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / folder / "COPYING").read_text()
