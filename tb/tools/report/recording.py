"""docs/console.svg: the firmware's console at three page sizes, as a moving picture.

Every letter comes from the simulator. The picture is text, so that it stays sharp and small; a
browser moves it with CSS, and shows it still to people who asked for less motion."""

import re
import subprocess
from dataclasses import dataclass

import click

from support.run import ROOT, built
from tools.report.svg import element as el
from tools.report.svg import standalone, text

OUT = ROOT / "docs" / "console.svg"
GRANULES = ("4k", "16k", "64k")
TYPED = ("walk 0x100000", "exit")
BANNER = ("granule", "levels")  # lines of the banner that are shown
PROMPT = "granule> "
MAX_CYCLES = 20_000_000

LETTER, LINE, LEFT, TOP = 7.25, 17, 14, 44
COLUMNS, ROWS = 95, 16
FIRST, STEP, REST = 0.6, 0.35, 4.5  # seconds: to the first line, a line, and at the end of a scene


class NoAnswer(click.ClickException):
    """The console did not say what the picture shows."""


@dataclass(frozen=True)
class Scene:
    """What was called, and what stood on the terminal then."""

    command: str
    lines: list[str]


def boot(granule: str) -> str:
    """The whole console of a boot that is typed on."""
    arguments = ["--quiet", "--max-cycles", str(MAX_CYCLES), "--append"]
    done = subprocess.run(
        [built("build/granule-sim"), *arguments, f"pagesize={granule} run=console",
         built("build/sw/granule.elf")],
        input="\n".join([*TYPED, ""]), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.replace("\r", "")


def scene(granule: str, console: str) -> Scene:
    """Two lines of the banner, and what was typed with its answer."""
    shown = re.findall(rf"^  (?:{'|'.join(BANNER)}) .*$", console, re.M)
    first, last = (re.escape(PROMPT + typed) for typed in TYPED)
    said = re.search(rf"^({first}\n.*?)^{last}$", console, re.M | re.S)
    if len(shown) != len(BANNER) or not said:
        raise NoAnswer(f"pagesize={granule}: no banner or no prompt in\n{console}")
    command = f'make run BOOT="pagesize={granule} run=console"'
    return Scene(command, [*shown, "", *said[1].splitlines(), PROMPT])


def wrapped(line: str) -> list[str]:
    """A terminal breaks what is too long."""
    return [line[i : i + COLUMNS] for i in range(0, len(line), COLUMNS)] or [""]


def keyframes(name: str, start: float, end: float, whole: float) -> str:
    """Visible from `start` to `end` seconds of `whole`."""
    a, b = 100 * start / whole, 100 * end / whole
    hidden, visible = "visibility: hidden", "visibility: visible"
    return (
        f"@keyframes {name} {{ 0% {{ {hidden} }} {a:.2f}% {{ {visible} }} "
        f"{b:.2f}% {{ {hidden} }} 100% {{ {hidden} }} }}\n"
    )


def rows(s: Scene) -> list[tuple[str, str]]:
    found = [
        (part, "line typed" if line.startswith(("$ ", PROMPT)) else "line")
        for line in (f"$ {s.command}", *s.lines)
        for part in wrapped(line)
    ]
    if len(found) > ROWS:
        raise NoAnswer(f"{s.command} shows {len(found)} lines; the picture has {ROWS}")
    return found


def picture(scenes: list[Scene]) -> str:
    shown = [rows(s) for s in scenes]
    lengths = [FIRST + STEP * len(lines) + REST for lines in shown]
    whole, now = sum(lengths), 0.0
    rules, parts = [], []
    for number, (lines, length) in enumerate(zip(shown, lengths, strict=True)):
        for i, (line, class_) in enumerate(lines):
            name = f"s{number}l{i}"
            rules.append(keyframes(name, now + FIRST * (i > 0) + STEP * i, now + length, whole))
            look = {"class_": f"{class_} scene{number}", "style": f"animation-name: {name}"}
            parts.append(text(LEFT, TOP + LINE * i, line, **look, **{"xml:space": "preserve"}))
        now += length
    width, height = 2 * LEFT + LETTER * COLUMNS, TOP + LINE * ROWS
    style = STYLE.format(whole=f"{whole:.1f}") + "".join(rules)
    return standalone(
        width, height, "The console of the firmware with pages of 4, 16 and 64 KiB", style,
        el("rect", x=0, y=0, width=width, height=height, rx=10, class_="screen"),
        *(el("circle", cx=20 + 18 * i, cy=16, r=5, class_="dot") for i in range(3)),
        *parts,
    )  # fmt: skip


# A terminal is dark by day, too.
STYLE = """
.screen {{ fill: #12161b }} .dot {{ fill: #3a434d }}
.line {{ font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #e7ebef; white-space: pre;
         visibility: hidden; animation: {whole}s step-end infinite }}
.typed {{ fill: #56b4e9; font-weight: 600 }}
@media (prefers-reduced-motion: reduce) {{
  .line {{ animation: none }} .scene0 {{ visibility: visible }}
}}
"""


@click.command()
def main() -> None:
    """Boots the firmware with each page size and draws what its console showed."""
    OUT.write_text(picture([scene(granule, boot(granule)) for granule in GRANULES]))
    click.echo(f"written: {OUT}, {OUT.stat().st_size // 1024} KiB")
