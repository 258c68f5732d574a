"""The patches of sw/linux/patches: their form, that they fit Linux's source, and what patch.sh
makes of a source and patches. An option of ours that the kernel's configuration drops is an error
that names it (check.sh)."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.root import ROOT

SCRIPT = ROOT / "sw" / "linux" / "patch.sh"
PATCHES = sorted((ROOT / "sw" / "linux" / "patches").glob("*.patch"))
SOURCE = ROOT / "build" / "linux" / "source"
FEWEST_WORDS = 40  # of a reason

OLD = "one\ntwo\nthree\n"
PATCH = """\
Subject: [PATCH] two
SPDX-License-Identifier: GPL-2.0

It is two times two.
---
diff --git a/kernel/a.c b/kernel/a.c
--- a/kernel/a.c
+++ b/kernel/a.c
@@ -1,3 +1,3 @@
 one
-two
+four
 three
"""


@pytest.mark.parametrize("patch", PATCHES, ids=lambda p: p.stem)
def test_a_patch_has_a_number_a_licence_and_a_reason(patch: Path):
    assert re.fullmatch(r"\d{4}(-[a-z0-9]+)+", patch.stem)
    assert [other for other in PATCHES if other.name[:4] == patch.name[:4]] == [patch]
    head = patch.read_text().split("\n---\n")[0]
    subject, licence, reason = head.split("\n", 2)
    assert subject.startswith("Subject: [PATCH] ")
    assert licence == "SPDX-License-Identifier: GPL-2.0"
    assert len(reason.split()) >= FEWEST_WORDS


def of_source(patch: Path) -> str:
    """Without files that build.sh leaves in the archive."""
    files = re.split(r"^(?=diff --git )", patch.read_text(), flags=re.M)[1:]
    return "".join(f for f in files if "/Documentation/" not in f.splitlines()[0])


@pytest.mark.slow  # of make linux-test, which has unpacked the source
def test_patches_fit_the_source_in_their_order(tmp_path: Path):
    assert (SOURCE / ".unpacked").exists(), "make linux-test unpacks the source"
    for patch in PATCHES:
        text = of_source(patch)
        for name in re.findall(r"^--- a/(.*)$", text, re.M):
            if not (tmp_path / name).exists():
                (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, tmp_path / name)
        command = ["patch", "-p1", "-s", "-f", "--fuzz=0", "--no-backup-if-mismatch"]
        done = subprocess.run(
            command, cwd=tmp_path, input=text, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{patch.name}\n{done.stdout}"


class Series:
    """A source of two files, an archive that has a third, and patches."""

    def __init__(self, tmp_path: Path) -> None:
        self.at = tmp_path
        self.source, self.out = tmp_path / "source", tmp_path / "out"
        self.tarball = tmp_path / "linux.tar.xz"
        whole = tmp_path / "linux-6"
        for folder in (self.source, whole):
            (folder / "kernel").mkdir(parents=True)
            (folder / "kernel/a.c").write_text(OLD)
            (folder / "kernel/b.c").write_text(OLD)
        (whole / "Documentation").mkdir()
        (whole / "Documentation/a.c").write_text(OLD)
        subprocess.run(["tar", "-cJf", self.tarball, "-C", tmp_path, "linux-6"], check=True)
        for path in self.source.rglob("*.c"):
            os.utime(path, (1000, 1000))

    def run(self, *texts: str) -> subprocess.CompletedProcess:
        patches = []
        for number, text in enumerate(texts):
            patches.append(self.at / f"{number:04}-p.patch")
            patches[-1].write_text(text)
        command = ["bash", SCRIPT, self.tarball, self.source, self.out, *patches]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def apply(self, *texts: str) -> None:
        done = self.run(*texts)
        assert done.returncode == 0, done.stderr

    def text(self, name: str) -> str:
        return (self.out / name).read_text()


@pytest.fixture(name="series")
def fixture_series(tmp_path: Path) -> Series:
    return Series(tmp_path)


def test_the_source_stays_and_what_is_not_changed_is_shared(series):
    series.apply(PATCH)
    assert series.text("kernel/a.c") == "one\nfour\nthree\n"
    assert (series.source / "kernel/a.c").read_text() == OLD
    assert (series.out / "kernel/b.c").samefile(series.source / "kernel/b.c")
    assert not list(series.out.rglob("*.orig"))


def test_a_file_that_comes_out_as_it_was_keeps_its_time(series):
    """So that make does not compile all that reads it."""
    series.apply(PATCH)
    path = series.out / "kernel/a.c"
    os.utime(path, (2000, 2000))
    series.apply(PATCH, PATCH.replace("a.c", "b.c"))
    assert path.stat().st_mtime == 2000 < (series.out / "kernel/b.c").stat().st_mtime
    series.apply(PATCH.replace("+four", "+five"))
    assert path.stat().st_mtime > 2000


def test_a_file_whose_patch_has_gone_is_new(series):
    """Its own time is old, and an object of the patched one would be newer. It stays new until it
    is compiled, however often the patches are applied before that."""
    series.apply(PATCH, PATCH.replace("a.c", "b.c"))
    path = series.out / "kernel/b.c"
    os.utime(path, (2000, 2000))
    for _ in range(2):
        series.apply(PATCH)
        assert path.read_text() == OLD and path.stat().st_mtime > 2000


def test_a_file_that_was_left_in_the_archive_is_taken_from_it(series):
    series.apply(PATCH.replace("kernel", "Documentation"))
    assert series.text("Documentation/a.c") == "one\nfour\nthree\n"
    assert not (series.source / "Documentation").exists()


def test_a_file_that_a_patch_brings_can_be_changed_by_the_next(series):
    lines = [f"+{line}" for line in OLD.splitlines()]
    brings = ["--- /dev/null", "+++ b/kernel/c.c", "@@ -0,0 +1,3 @@", *lines, ""]
    series.apply("\n".join(brings), PATCH.replace("a.c", "c.c"))
    assert series.text("kernel/c.c") == "one\nfour\nthree\n"


def test_a_patch_that_does_not_fit_is_named_and_the_old_source_stays(series):
    series.apply(PATCH)
    done = series.run(PATCH.replace("-two", "-zwei"))
    assert done.returncode == 1
    assert "0000-p.patch does not fit linux.tar.xz" in done.stderr
    assert series.text("kernel/a.c") == "one\nfour\nthree\n"


# ---- configuration -------------------------------------------------------------------------------
CHECK = ROOT / "sw" / "linux" / "check.sh"
FINAL = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=100\n"


def check(tmp_path: Path, fragment: str) -> tuple[int, str]:
    (tmp_path / ".config").write_text(FINAL)
    (tmp_path / "ours").write_text(fragment)
    command = ["bash", CHECK, ".config", "ours"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "line",
    ["CONFIG_A=y", "CONFIG_C=100", "# CONFIG_B is not set", "# why", "# CONFIG_NEW is not set"],
)
def test_a_line_that_is_there_or_off(tmp_path, line):
    assert check(tmp_path, f"{line}\n\n") == (0, "")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("CONFIG_B=y", "'CONFIG_B=y' was dropped"),
        ("CONFIG_NEW=y", "'CONFIG_NEW=y' was dropped"),
        ("CONFIG_C=10", "'CONFIG_C=10' was dropped"),
        ("# CONFIG_A is not set", "CONFIG_A is to be off"),
        ("CONFG_A=y", "'CONFG_A=y' is no line"),
    ],
)
def test_a_line_that_is_not(tmp_path, line, complaint):
    status, text = check(tmp_path, f"CONFIG_A=y\n{line}\n")
    assert status == 1 and complaint in text and "ours" in text
