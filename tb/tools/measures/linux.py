"""make linux-documents: the documents in Linux itself; those but 002 are in linux_boots.py. Of 002
each machine boots the kernel with sw/linux/patches, with what the patch does and without it; one
boots the unmodified kernel, too.
make linux-console: the console that docs/linux.md shows."""

import re
import subprocess
from dataclasses import asdict, dataclass
from itertools import chain, product

import click

from figures import page
from figures.measure import Failed, Measured, at_once, merged
from figures.view import number
from granule.figures import MalformedResult, split
from support import results
from support.root import ROOT
from support.run import built
from system.linux import guest
from tools.measures import linux_boots

NAME = "linux-documents"
MAKE = f"make {NAME}"

PATCH = ROOT / "sw/linux/patches/0001-riscv-one-zero-page-for-each-colour.patch"
UNMODIFIED, ONE, COLOURED = "unmodified", "one", "coloured"
WORDS = {UNMODIFIED: "", ONE: "zeropages=1", COLOURED: ""}  # for the kernel
# The brackets keep the pattern from finding itself: the kernel prints its command line, too.
COMMAND = "dmesg | grep -o 'Zero page[s]: [0-9]*'; document-002 {kernel}"
ZERO_PAGES = re.compile(r"^Zero pages: (\d+)$", re.M)


@dataclass(frozen=True)
class Machine:
    """One data cache. `moves`: a line that is read at another colour moves, so it misses."""

    name: str
    what: str
    colours: int
    moves: bool = False
    kernels: tuple[str, ...] = (ONE, COLOURED)

    def __str__(self) -> str:
        return self.name


LARGE = "ways of 16 KiB"
MACHINES = (
    Machine("ulx3s", f"{LARGE}, VIPT, one copy of a line", 4, True, (UNMODIFIED, ONE, COLOURED)),
    Machine("ulx3s_copies", f"{LARGE}, VIPT, copies of clean lines", 4),
    Machine("ulx3s_physical", f"{LARGE}, physically indexed", 4),
    Machine("teaching", "ways of 4 KiB, a page each", 1),
)
# Loops of sw/linux/user/document/zero_pages.c; at page distance those of the document.
LOOPS = {
    "read8": "8 reads in steps of a page, 1000 times",
    "read9": "9 reads in steps of a page, 1000 times",
    "colour8": "8 reads of one colour, 1000 times",
    "whole4": "all lines of 4 pages, 100 times",
    "whole8": "all lines of 8 pages, 100 times",
    "empty": "nothing",
}
PAGE_DISTANCE = {"read8": 8_000, "read9": 9_000}
READS = PAGE_DISTANCE | {"colour8": 8_000, "whole4": 25_600, "whole8": 51_200, "empty": 0}
COUNTERS = ("cycles", "instructions", "misses", "tlb")
LEAST_FEWER = 50  # times, where lines move
FEW = 0.02  # misses a read that interrupts may cost
FEWEST = 100  # misses: fewer are not compared


@dataclass(frozen=True)
class Row:
    """What one loop cost in one boot."""

    machine: str
    kernel: str
    zero_pages: int
    loop: str
    cycles: int
    instructions: int
    misses: int
    tlb: int
    commit: str = ""  # of the boot


def rows(console: str, machine: str, kernel: str, commit: str = "") -> list[Row]:
    """Of one boot. The unmodified kernel does not say that it has one zero page."""
    try:
        found = {figure.id: int(figure.value) for figure in split(console, machine)[1]}
    except MalformedResult as error:
        raise Failed(f"{machine}, {kernel}: {error}") from error
    said = ZERO_PAGES.findall(console)
    if len(said) != (kernel != UNMODIFIED):
        raise Failed(f"{machine}, {kernel}: the kernel told its zero pages {len(said)} times")
    names = {loop: [f"L2.{loop}.{counter}" for counter in COUNTERS] for loop in LOOPS}
    if missing := [n for of_loop in names.values() for n in of_loop if n not in found]:
        raise Failed(f"{machine}, {kernel}: no {', '.join(missing)}")
    return [
        Row(machine, kernel, int(*said or [1]), loop, *map(found.get, of_loop), commit)
        for loop, of_loop in names.items()
    ]


Found = dict[tuple[str, str, str], Row]  # by machine, kernel and loop


def fewer(found: Found, machine: str, loop: str) -> float:
    """Misses with one zero page for each with one a colour."""
    return found[machine, ONE, loop].misses / max(1, found[machine, COLOURED, loop].misses)


def booted(found: Found) -> list[Machine]:
    return [machine for machine in MACHINES if (machine.name, ONE, "read8") in found]


def wrong(found: Found) -> list[str]:
    """What must be true and is not, as sentences. One zero page of the patched kernel is what the
    unmodified one has."""
    said = []
    for machine in booted(found):
        name = machine.name
        pages = {kernel: found[name, kernel, "read8"].zero_pages for kernel in (ONE, COLOURED)}
        if pages != {ONE: 1, COLOURED: machine.colours}:
            said.append(f"{name}: {pages} zero pages; {machine.colours} colours")
        for loop, reads in PAGE_DISTANCE.items():
            one, coloured = (found[name, k, loop].misses for k in (ONE, COLOURED))
            beside = f"{name}, {loop}: {one} misses with one zero page, {coloured} coloured"
            if coloured > FEW * reads:
                said.append(f"{beside}; at most {FEW} a read are the interrupts'")
            elif machine.moves and fewer(found, name, loop) < LEAST_FEWER:
                said.append(f"{beside}; {LEAST_FEWER} times fewer are expected")
            elif not machine.moves and one > FEW * reads:
                said.append(f"{beside}; no difference is expected")
            other = found.get((name, UNMODIFIED, loop))
            if other and abs(one - other.misses) > FEW * reads:
                said.append(
                    f"{name}, {loop}: {other.misses} misses unmodified, {one} with zeropages=1"
                )
    return said


def times_fewer(found: Found, machine: str, loop: str) -> str:
    """Nothing where interrupts alone make the misses."""
    if found[machine, ONE, loop].misses <= max(FEW * READS[loop], FEWEST):
        return ""
    return f"{fewer(found, machine, loop):,.0f}"


def table(found: Found) -> str:
    head = ("machine", "what is read", "misses, one zero page", "misses, one a colour",
            "times fewer", "cycles, one zero page", "cycles, one a colour",
            "times faster")  # fmt: skip
    lines = []
    for machine, (loop, what) in product(booted(found), LOOPS.items()):
        one, coloured = (found[machine.name, kernel, loop] for kernel in (ONE, COLOURED))
        misses = (number(one.misses), number(coloured.misses))
        cycles = (number(one.cycles), number(coloured.cycles))
        times = (times_fewer(found, machine.name, loop), f"{one.cycles / coloured.cycles:.2f}")
        lines.append((machine.name, what, *misses, times[0], *cycles, times[1]))
    return page.table(head, lines)


def section(found: Found) -> str:
    """What docs/documents-on-linux.md shows of it."""
    commits = ", ".join(sorted({row.commit for row in found.values()}))
    what = "; ".join(f"`{m.name}`: {m.what}" for m in booted(found))
    same = " ".join(
        f"The unmodified kernel on `{row.machine}` misses {row.misses:,} of the first 8,000 reads. "
        for row in found.values()
        if (row.kernel, row.loop) == (UNMODIFIED, "read8")
    )
    return "\n\n".join(
        [
            f"Caches of 32 KiB. {what}. {same}Counts are of the process, with the kernel's "
            "interrupts: one of two equal rows may have had a tick of the timer. "
            "`nothing` is what a reading of the counters costs.",
            table(found),
            f"Written by `make linux-documents`, commit {commits}.",
        ]
    )


def readme(found: Found) -> str:
    """The machine on which it matters most; docs/documents-on-linux.md has all."""
    name = booted(found)[0].name
    one, coloured = (found[name, kernel, "read8"].misses for kernel in (ONE, COLOURED))
    return (
        f"[In Linux 6.1 itself](docs/documents-on-linux.md): of 8,000 reads of untouched memory "
        f"{one:,} miss with one zero page, {coloured:,} with one a colour (002)."
    )


# ---- make linux-documents ------------------------------------------------------------------------
def boot(machine: Machine, kernel: str) -> list[Row]:
    image = "unmodified" if kernel == UNMODIFIED else "patched"
    command = COMMAND.format(kernel=kernel)
    what = linux_boots.Boot(kernel, image, command, WORDS[kernel], guest.MEMORY)
    return rows(linux_boots.console(machine.name, what), machine.name, kernel, results.commit())


def places(recorded: dict) -> Found:
    return {(r["machine"], r["kernel"], r["loop"]): Row(**r) for r in recorded["figures"]}


MEASURED = Measured(
    NAME, MAKE, f"all of {MAKE}",
    {("docs/documents-on-linux.md", NAME): lambda recorded: section(places(recorded)),
     ("README.md", NAME): lambda recorded: readme(places(recorded))},
)  # fmt: skip


def measured(machine: Machine | str, what: str | linux_boots.Boot) -> list[Row] | dict:
    if isinstance(what, linux_boots.Boot):
        return linux_boots.run(machine, what)
    return boot(machine, what)


@click.command()
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--only", multiple=True, type=click.Choice([m.name for m in MACHINES]))
@click.option("--boot", "names", multiple=True, help="document-002, or boots of linux_boots.py")
def main(jobs: int, only: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Boots each machine, with what the patches do and without it."""
    of_each = ([(name, what) for what in linux_boots.boots(name)] for name in linux_boots.MACHINES)
    todo = [  # the longest of each machine begins first
        (name, what)
        for name, what in chain.from_iterable(zip(*of_each, strict=True))
        if (not only or name in only) and (not names or what.name in names)
    ]
    if not names or "document-002" in names:
        chosen = [m for m in MACHINES if not only or m.name in only]
        todo += [(machine, kernel) for machine in chosen for kernel in machine.kernels]
    found = at_once(jobs, lambda job: measured(*job), todo)
    rows = [asdict(row) for one in found if isinstance(one, list) for row in one]
    boots = [one for one in found if isinstance(one, dict)]
    if rows:
        click.echo(f"\n{table(places({'figures': rows}))}\n")
    record(MEASURED, rows, ("machine", "kernel", "loop"), lambda now: wrong(places(now)))
    record(linux_boots.MEASURED, boots, ("machine", "boot"),
           lambda now: linux_boots.wrong(linux_boots.places(now)), linux_boots.beside)  # fmt: skip


def record(what: Measured, found: list[dict], key: tuple[str, ...], wrong, beside=None) -> None:
    """What did not boot now keeps what it had, with its commit. Nothing that is wrong is kept."""
    if not found:
        return
    results.write(what.name, what.configuration, found, command=MAKE)
    now = {"command": MAKE, "figures": merged(what.recorded()["figures"], found, *key)}
    if said := wrong(now):
        raise Failed("\n".join(said))
    what.write(now | ({"beside": beside(now)} if beside else {}))


# ---- make linux-console: the last lines of a boot that runs a command ----------------------------
PAGE = ROOT / "docs" / "linux.md"
SIMULATOR = "build/granule-sim-ulx3s"
SHOWN = "uname -srm; granule-stat md5sum /bin/busybox 2>&1 | grep walks"
FIRST = "Run /init"  # of the kernel's lines, the first that is shown
WIDTH = 100


def excerpt(console: str) -> str:
    """From the line with FIRST on, for a page: no carriage returns, no line that is too long."""
    lines = [line.strip("\r") for line in console.rstrip().split("\n")]
    first = next((n for n, line in enumerate(lines) if FIRST in line), None)
    if first is None:
        raise Failed(f"'{FIRST}' is not on the console; its last lines:\n" + console[-800:])
    return "\n".join(line[:WIDTH].rstrip() for line in lines[first:])


@click.command()
def console() -> None:
    """Writes what docs/linux.md shows of a run on `ulx3s`, as the simulator printed it."""
    built(SIMULATOR)
    built("build/linux/boot.elf")
    call = ["make", "-s", "-C", str(ROOT), "run-linux", f"SIM={SIMULATOR}", f"CMD={SHOWN}"]
    run = subprocess.run(call, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    text = excerpt(run.stdout.decode("latin-1"))
    if run.returncode:
        raise Failed(f"the command ended with status {run.returncode}:\n{text}")
    shown = f'```\n$ make run-linux SIM={SIMULATOR} CMD="{SHOWN}"\n  ...\n{text}\n```'
    PAGE.write_text(page.put(PAGE.read_text(), "linux", shown))
    click.echo(PAGE.relative_to(ROOT))
