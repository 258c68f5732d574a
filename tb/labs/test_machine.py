"""Simulators that were built elsewhere, and messages of compilers and sanitizers."""

import subprocess
import sys
from pathlib import Path

import pytest

from labs import machine
from labs.lab import Handin, Trouble
from support.root import ROOT


def test_a_prebuilt_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is built then."""
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    (tmp_path / "include").mkdir()
    for name in ("granule-sim", "granule-sim-ulx3s"):
        (tmp_path / name).symlink_to("/bin/true")
        assert machine.simulator(name) == tmp_path / name
    assert machine.include() == tmp_path / "include"


def test_an_archive_is_prebuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs it: make, or a notebook."""
    monkeypatch.delenv("PREBUILT", raising=False)
    assert machine.prebuilt() is None
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    assert machine.prebuilt() == tmp_path / "build"


BARE = """
import sys
sys.path.insert(0, "tb")
from pathlib import Path
from labs import machine
machine.ROOT = Path(sys.argv[1])
machine.checkout = lambda: True
elf = machine.part("sw/granule.elf", "build/sw/granule.elf")
print(machine.simulator(), machine.include(), elf)
print("cocotb" in sys.modules)
"""


def bare(program: str, *arguments: str) -> subprocess.CompletedProcess:
    """By a Python that has no packages: cocotb neither."""
    command = [Path(sys.executable).resolve(), "-S", "-E", "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_what_is_built_is_used_by_any_python(tmp_path: Path) -> None:
    """As by that of a notebook, which has Jupyter and matplotlib."""
    for name in ("granule-sim", "sw/granule.elf", "include/.ready"):
        path = tmp_path / "build" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to("/bin/true")
    done = bare(BARE, str(tmp_path))
    assert not done.stderr and done.stdout.endswith("False\n"), done.stderr
    build = tmp_path / "build"
    assert done.stdout.split()[:3] == [
        str(build / "granule-sim"), str(build / "include"), str(build / "sw/granule.elf")
    ]  # fmt: skip


def test_what_is_not_built_names_the_command(tmp_path: Path) -> None:
    program = BARE.replace("elf =", "machine.part('x', 'build/no-such')\nelf =", 1)
    done = bare(program, str(tmp_path))
    assert done.returncode and "build/no-such could not be built; run `make build/no-such`" in (
        done.stderr
    )
    assert "ModuleNotFoundError" not in done.stderr


def test_a_file_that_is_missing_names_the_command(tmp_path: Path) -> None:
    folder = tmp_path / "lab5-anna"
    with pytest.raises(Trouble, match="zero.c is missing .*make lab LAB=5 NAME=anna") as raised:
        machine.source(Handin(folder), "zero.c")
    (shown,) = raised.value._render_traceback_()  # what a notebook prints of it
    assert shown == f"Error: {raised.value}"


@pytest.mark.parametrize(
    "content, said",
    [
        ("\x7fELF of another machine", "Exec format error"),
        ("#!/bin/sh\necho version GLIBC_2.34 not found >&2\nexit 1\n", "GLIBC_2.34 not found"),
    ],
    ids=["machine", "library"],
)
def test_a_simulator_that_does_not_run_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, said: str
) -> None:
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    (tmp_path / "granule-sim").write_text(content)
    (tmp_path / "granule-sim").chmod(0o755)
    with pytest.raises(Trouble, match=f"granule-sim does not run on this computer: .*{said}"):
        machine.on_simulator(tmp_path / "a.elf")


@pytest.fixture(name="prebuilt")
def fixture_prebuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a simulator that counts how often it runs."""
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    monkeypatch.setattr(machine, "MEASURED", tmp_path / "measured")
    simulator = tmp_path / "granule-sim"
    runs = f'[ "$1" = --help ] || echo run >> {tmp_path}/runs'
    simulator.write_text(f"#!/bin/sh\n{runs}\necho the end\n")
    simulator.chmod(0o755)
    (tmp_path / "sw").mkdir()
    (tmp_path / "sw/granule.elf").write_text("")
    return tmp_path


def measured_anew(folder: Path, times: int) -> bool:
    """Asks for the firmware's console, as a process of its own does."""
    machine.firmware.cache_clear()
    assert machine.firmware("run=all", "end") == "the end\n"
    return (folder / "runs").read_text() == "run\n" * times


def test_what_the_firmware_said_is_kept(prebuilt: Path) -> None:
    """Until firmware or simulator change."""
    assert measured_anew(prebuilt, 1)
    assert measured_anew(prebuilt, 1)
    (prebuilt / "sw/granule.elf").write_text("another")
    assert measured_anew(prebuilt, 2)
    assert [path.suffix for path in (prebuilt / "measured").iterdir()] == [".txt"] * 2


def test_a_firmware_that_says_something_else(prebuilt: Path) -> None:
    with pytest.raises(Trouble, match="ended before it showed 'words'"):
        machine.firmware("run=all", "words")
    (prebuilt / "sw/granule.elf").unlink()
    with pytest.raises(Trouble, match="it has no sw/granule.elf"):
        machine.firmware("run=none", "end")


@pytest.mark.parametrize(
    "said, told",
    [
        ("/h/map.c:9:5: runtime error: load of null pointer of type 'int'\n",
         "your code crashed at map.c:9: load of null pointer of type 'int'"),
        ("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x8 (pc 0x55)\n"
         "    #0 0x55 in map_page /h/map.c:12:3\n",
         "your code crashed at map.c:12: SEGV on unknown address 0x8"),
        ("harness: table_at(0x8), where no table is\n",
         "your code crashed: table_at(0x8), where no table is"),
        ("Killed\n", "your code crashed: it crashed"),
    ],
    ids=["undefined", "address", "harness", "other"],
)  # fmt: skip
def test_a_crash_in_one_line(said: str, told: str) -> None:
    assert machine.crash(said) == told


def test_a_program_that_ends_early_or_prints(tmp_path: Path) -> None:
    for text in ("result 1\n", "result 1\nresult 2\nresult 3\n", "result 1 2\nresult 3\n"):
        with pytest.raises(Trouble, match="instead of 2: does your code print, or end"):
            machine.Output(text).rows("result", 2)
    assert machine.Output("result 1\nresult a\n").values("result", 10) == [[1]]
    assert machine.Output("result a\n").value("result") == 10


def test_a_program_that_prints_without_an_end(tmp_path: Path) -> None:
    program = tmp_path / "prints"
    program.write_text("#!/bin/sh\nexec yes\n")
    program.chmod(0o755)
    with pytest.raises(Trouble, match=r"your code printed 16,777,216 bytes: is there an endless"):
        machine.on_host(program, "")


@pytest.mark.parametrize("compiler, package", machine.PACKAGES.items())
def test_a_compiler_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str, package: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Trouble, match=f"there is no {compiler} .*apt-get install {package}`"):
        machine.compile_with([compiler], tmp_path / "map.c")


def test_what_is_looked_for_before_a_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compilers first, then simulators."""
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    machine.check()
    (tmp_path / "granule-sim-ulx3s").symlink_to("/bin/false")
    (tmp_path / "granule-sim.build").mkdir()
    with pytest.raises(Trouble, match="granule-sim-ulx3s does not run on this computer: status 1"):
        machine.check()


def test_a_folder_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "build").write_text("a file in its place")
    with pytest.raises(Trouble, match="build cannot be made: File exists"):
        machine.work(Handin(tmp_path))
