"""Both vector files on the golden model, and what the reader says about files that are none."""

import copy
import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from model import Kind, Registers, tlbi, vectors
from model.steps import Ask, Flush, Golden, Load, Store, Trap, Trouble
from model.tlbi import Invalidation
from model.vectors import Case, Check, VectorError

DATA = Path(__file__).parents[1] / "data" / "vectors"


CHECKS = {
    "arm-64": 4_458, "arm-64-updates": 341, "arm-d128": 4_467, "arm-d128-updates": 323,
    "arm-indirect": 4_637, "arm-indirect-updates": 258, "spike-sv39": 30_148,
    "spike-sv48": 30_866, "vmsa64-base": 35_388, "vmsa64-lpa2": 34_480,
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
def test_agrees_on_all_checks(name):
    """Of QEMU, Arm's architecture and Spike: formats, permissions, updates, and order of faults."""
    file = vectors.read(DATA / f"{name}.json.gz")
    assert file.checks == CHECKS[name]
    for number, case in enumerate(file.cases):
        golden, checks = Golden(file.features), iter(case.checks)
        asks = [Ask(check.access) for check in case.checks]
        for step in case.steps or [*case.beginning, *asks]:
            golden.take(step)
            if isinstance(step, Ask):
                check, outcome = next(checks), golden.outcome(step)
                found = Check.of(check.access, outcome)
                said = f"case {number}: {check}: {outcome}"
                assert check in (found, replace(found, changed=None)), said


GOOD = {
    "source": "hand",
    "features": ["base"],
    "seed": 1,
    "cases": [
        {
            "tcr": "0x5b5103510",
            "ttbr0": "0x40001000",
            "ttbr1": "0x0",
            "mair": "0xff",
            "sctlr": "0x1",
            "memory": [["0x40001000", "0x3"]],
            "checks": [
                {"va": "0x0", "el": 0, "write": 0, "fsc": 4},
                {"va": "0x1000", "el": 1, "write": 1, "pa": "0x2000", "attr": 255},
            ],
        }
    ],
}


def save(tmp_path: Path, content) -> Path:
    path = tmp_path / "vectors.json.gz"
    data = content if isinstance(content, bytes) else gzip.compress(json.dumps(content).encode())
    path.write_bytes(data)
    return path


def test_reads_the_good_one_plain_too(tmp_path):
    file = vectors.read(save(tmp_path, json.dumps(GOOD).encode()))
    assert (file.checks, file.features.pamax) == (2, 48)
    assert file == vectors.read(save(tmp_path, GOOD))
    assert file.cases[0].memory == {0x40001000: 3}


def edit(path, value):
    """GOOD with one place changed; `path` is a list of keys and indexes; ... deletes."""
    document = copy.deepcopy(GOOD)
    at = document
    for key in path[:-1]:
        at = at[key]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return document


CASE, CHECK = ["cases", 0], ["cases", 0, "checks", 0]
BAD = {
    "not gzip": (b"\x00\x01\x02\xff", "neither gzip nor JSON"),
    "a list": ([], "expected an object"),
    "no cases": (edit(["cases"], ...), "has no 'cases'"),
    "unknown feature": (edit(["features"], ["riscv"]), "feature 'riscv' is not known; known are"),
    "no register": (edit([*CASE, "tcr"], ...), r"cases\[0\]: has no 'tcr'"),
    "register no number": (edit([*CASE, "tcr"], "abc xyz"), r"\.tcr: is 'abc xyz'; expected a hex"),
    "register too wide": (edit([*CASE, "mair"], hex(1 << 64)), r"\.mair: .* fit in 64 bits"),
    "memory no pairs": (edit([*CASE, "memory"], [["0x0"]]), r"memory\[0\]: has 1 elements"),
    "memory unaligned": (edit([*CASE, "memory"], [["0x4", "0x0"]]), "multiple of 8"),
    "memory twice": (
        edit([*CASE, "memory"], [["0x8", "0x0"], ["0x8", "0x1"]]), "0x8 a second value",
    ),
    "check without va": (edit([*CHECK, "va"], ...), r"checks\[0\]: has no 'va'"),
    "el 2": (edit([*CHECK, "el"], 2), r"checks\[0\]\.el: is 0x2; it must fit in 1 bits"),
    "write true": (edit([*CHECK, "write"], True), r"\.write: is true; expected a number"),
    "no outcome": (edit([*CHECK, "fsc"], ...), "either 'pa' and 'attr', or 'fsc'"),
    "unknown kind": (edit([*CHECK, "kind"], "jump"), r"\.kind: is \"jump\"; expected one of"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_malformed_file(tmp_path, name):
    """The message names the file, the place and the problem."""
    content, message = BAD[name]
    with pytest.raises(VectorError, match=message) as raised:
        vectors.read(save(tmp_path, content))
    assert "vectors.json.gz" in str(raised.value)


def test_write_and_read_back(tmp_path):
    registers = Registers(tcr=0x5B5103510, ttbr0=0x40001000, mair=0xFF)
    checks = (
        Check(va=0x1000, el=0, kind=Kind.READ, fsc=5),
        Check(va=0x2000, el=1, kind=Kind.ATOMIC, pan=True, pa=0x123, attr=0xFF),
    )
    case = Case(registers, {0x40001000: 3}, checks, frozenset({0x8}))
    path = tmp_path / "out.json.gz"
    vectors.write(path, [case], source="a test", seed=7)
    file = vectors.read(path)
    assert file.cases == (case,)
    assert (file.source, file.seed) == ("a test", 7)


def test_steps_come_back(tmp_path):
    """Everything that a failing random case needs: changes, invalidations, races, other formats."""
    registers = Registers(tcr=5, ttbr0=1 << 100 | 7, sctlr=0, satp=1 << 31, mair2=9)
    checks = (
        Check(va=0x1000, el=0, kind=Kind.WRITE, mxr=True, fsc=5, changed=()),
        Check(va=0x2000, el=1, kind=Kind.READ, pa=0x123, attr=0xFF, changed=((0x8, 1),)),
    )
    steps = (
        Load(registers),
        Store(0x10, 0x20),
        Trap(0x18, Trouble.NO_SWAP),
        Ask(checks[0].access),
        Flush(Invalidation(tlbi.Kind.RANGE, 0x1234, last_level=True, ds=True)),
        Ask(checks[1].access, race=(0x8, 0x9)),
    )
    case = Case(registers, {}, checks, steps=steps)
    path = tmp_path / "out.json.gz"
    vectors.write(path, [case], source="a test")
    assert vectors.read(path).cases == (case,)


STEP = {"store": ["0x0", "0x0"]}
BAD_STEPS = {
    "unknown": ([{"jump": 1}], "has none of: store"),
    "too few checks": ([STEP], "ask 0 of 2 checks"),
    "wrong order": ([{"check": 1}], "must ask check 0"),
    "unknown trouble": ([{"trouble": "fire", "address": 0}], 'is "fire"; expected one of'),
    "unknown kind": ([{"invalidate": {"kind": "SOME", "operand": 0}}], 'is "SOME"; expected one'),
}


@pytest.mark.parametrize("name", BAD_STEPS)
def test_malformed_steps(tmp_path, name):
    steps, message = BAD_STEPS[name]
    with pytest.raises(VectorError, match=message):
        vectors.read(save(tmp_path, edit([*CASE, "steps"], steps)))
