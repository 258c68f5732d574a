"""`--memory l2:SIZE:N`: a second-level cache in front of the simulator's memory."""

import subprocess

from sim.simulator import run_program
from support.run import ROOT

SIM = ROOT / "tb" / "sim"
BEATS = 16  # of a line, one a cycle
WAY = 30  # more than the system's own cycles of a miss, beside the memory's


def test_which_lines_it_holds(tmp_path):
    """LRU and dirty lines, on the host."""
    program = tmp_path / "line_tags"
    subprocess.run(
        ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
         f"-I{SIM}", SIM / "tests" / "line_tags.cpp", "-o", program],
        check=True,
    )  # fmt: skip
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def lines(memory: str):
    """Cycles a line of the three passes, of which the program has checked the data."""
    run = run_program("second_level", "--memory", memory, "--stats")
    return [run.value(name) for name in ("first", "second", "third")], run


def test_what_it_holds_comes_after_its_own_cycles():
    """128 KiB fit: the second pass never goes to memory, whatever that takes."""
    (first, second, third), run = lines("l2:256K:10+fixed:300")
    assert first > 300
    assert 10 + BEATS < third < 10 + BEATS + WAY
    assert second < 2 * third + WAY  # lines that the first pass wrote leave the first level
    assert "second level:" in run.err
    longer = lines("l2:256K:25+fixed:300")[0][2]
    assert third + 12 < longer < third + 18


def test_what_it_does_not_hold_costs_what_memory_costs():
    """LRU and a pass over twice its size: nothing is ever there."""
    (_, second, third), _ = lines("l2:64K:10+fixed:300")
    assert second > third + 100, "a dirty line goes down before another comes"
    assert 300 + BEATS < third < 300 + 2 * BEATS + 10 + WAY


def test_without_one_memory_is_asked_each_time():
    (_, _, third), run = lines("fixed:300")
    assert 300 + BEATS < third < 300 + BEATS + WAY
    assert "second level" not in run.err
