"""The story of a walk says what the model says, and the command that tells it needs only Python."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from model import Fault
from model.examples import EXAMPLES, inputs_of, name_of, number
from model.explain import explain

WALK = Path(__file__).resolve().parents[1] / "walk.py"


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_every_worked_example_is_told(example):
    """An entry for every read, at its address; the result at the end; tables lead to each other."""
    story, outcome = explain(*inputs_of(example))
    text = "\n".join(story)
    assert [f"0x{a}" for a in re.findall(r"entry at 0x(\w+):", text)] == example["reads"]
    if isinstance(outcome, Fault):
        level = "" if example["fault_level"] is None else f", level {example['fault_level']}"
        assert f"{level} (status 0x{number(example['fsc']):02x})" in text
        return
    assert f"result    0x{number(example['pa']):x}, after {len(example['reads'])} memory" in text
    changed = re.findall(r"changed the entry at (\w+) to (\w+)", text)
    assert {number(a): number(v) for a, v in changed} == {
        number(a): number(v) for a, v in example["mem_changed"].items()
    }


def command(*arguments: str) -> subprocess.CompletedProcess:
    """tb/walk.py without any installed package."""
    return subprocess.run(
        [sys.executable, "-S", "-E", str(WALK), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_address_with_three_page_sizes():
    """More levels with smaller pages; each entry lies in the table that the level before names."""
    told = command("0x7f1234567abc")
    assert told.returncode == 0, told.stderr
    parts = told.stdout.split("pages of ")[1:]
    assert [p.split(":")[0] for p in parts] == ["4 KiB", "16 KiB", "64 KiB"]
    assert [p.count("entry at") for p in parts] == [4, 4, 3]
    for part in parts:
        rows = re.findall(r"bits? +(?:(\d+): ?)?(\d+) = (\d+) +entry at 0x(\w+)", part)
        tables = [0x40000000, *(int(t, 16) for t in re.findall(r"next table, at 0x(\w+)", part))]
        for (high, low, index, at), table in zip(rows, tables, strict=True):
            width = int(high or low) - int(low) + 1
            assert int(index) == 0x7F1234567ABC >> int(low) & ((1 << width) - 1)
            assert int(at, 16) == table + 8 * int(index)
        assert part.count("result") == 1 and "7abc, after" in part


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("0x1234567abc", "--va-bits", "39", "--granule", "4k"), "3 levels"),
        (("0x7f1234567abc", "--block"), "block of 512 MiB"),
        (("0x7f1234567abc", "--missing", "2"), "translation fault, level 2"),
        (("0x7f1234567abc", "--read-only", "--access", "write"), "permission fault, level 3"),
        (("0x7f1234567abc", "--access", "execute"), "may read and execute"),
        (("0x7f1234567abc", "--va-bits", "39"), "does not fit into the address space"),
        (("0xffffff8000000000", "--va-bits", "39"), "after 3 memory reads"),
        (("A1",), "result    0x876543678, after 4 memory reads"),
        (("list",), "A1 4K, 48-bit VA, four levels"),
    ],
)
def test_what_else_it_tells(arguments, says):
    told = command(*arguments)
    assert told.returncode == 0 and says in told.stdout, told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("zz",), "'zz' is neither an address nor a worked example; write 0x7f1234567abc, or A1"),
        (("12x",), "'12x' is no address from 0 to 2^64 - 1; write 0x7f1234567abc"),
        (("0x10000000000000000",), "is no address from 0 to 2^64 - 1"),
        (("1", "--va-bits", "49"), "'49' is no number of address bits from 25 to 48"),
    ],
)
def test_what_it_refuses(arguments, says):
    told = command(*arguments)
    assert told.returncode != 0 and says in told.stderr
    assert "Traceback" not in told.stderr


def test_the_examples_of_its_help_run():
    lines = re.findall(r"^  python3 tb/walk.py (.*?)(?:   .*)?$", command("--help").stdout, re.M)
    assert len(lines) >= 7
    for line in lines:
        assert command(*line.split()).returncode == 0, line
