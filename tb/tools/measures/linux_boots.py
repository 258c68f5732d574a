"""The boots of make linux-documents for three documents; linux.py has those for 002. In 000 and 001
a compiler builds a library on the machine; in 004 a program reads a hole of a file."""

import re
import statistics
from dataclasses import dataclass

from figures import page
from figures.catalogue import load
from figures.measure import Failed, Measured
from figures.view import number
from granule.figures import MalformedResult, split
from granule.simulator import find_simulator
from support import results
from support.run import built
from system.linux import guest

NAME = "linux-boots"
SECONDS = 7200  # several times what a boot takes on a busy machine
MACHINES = ("teaching", "ulx3s")

BUILDS = 2  # of each place of page tables
LOWMEM, MEMORY = "lowmem=16M", "64M"  # the rest is high memory
MIB = 1 << 20
LARGE, BOARD = "64 MiB", "16 MiB"  # the second: as much as the board's memory has room for
HOLES = {BOARD: (16 * MIB, "32M"), LARGE: (64 * MIB, "96M")}
HOLE_OF = {"teaching": LARGE, "ulx3s": BOARD}

HIGH, NOHIGH, WITHOUT, KMAP = "high", "nohigh", "none", "kmap"
PAGE, ZERO = "page", "zero"
SLOTS = 1024


@dataclass(frozen=True)
class Boot:
    """A kernel, what it is told, and a command; `name`: of its row."""

    name: str
    image: str
    command: str
    words: str = ""
    memory: str = MEMORY

    def __str__(self) -> str:
        return self.name


def holes(size: str, how: str) -> Boot:
    bytes_, memory = HOLES[size]
    words = "dax_hole=page" if how == PAGE else ""
    return Boot(f"{how} {size}", "dax", f"document-004.sh {bytes_}", words, memory)


# A release comes last, with page tables in high memory and slots of kmap(). It fills them alone.
BUILD_BOOTS = (
    Boot(
        "highmem", "highmem",
        f"document-build library {BUILDS} {NOHIGH} {HIGH} && document-build release 1 {KMAP}",
        LOWMEM,
    ),
    Boot("without", "lowmem", f"document-build library {BUILDS} -"),
)  # fmt: skip
SMAPS = re.compile(r"^(\w+): +(\d+) kB\r*$", re.M)

Found = dict[tuple[str, str], dict]  # by machine and boot: values by id, smaps by name


def boots(machine: str) -> tuple[Boot, ...]:
    return BUILD_BOOTS + tuple(holes(HOLE_OF[machine], how) for how in (PAGE, ZERO))


def console(machine: str, boot: Boot) -> str:
    """From reset to the end of the command, which succeeded."""
    image = built(f"build/linux-documents/{boot.image}.elf")
    words = f"loglevel=4 {boot.words}".strip()
    argv = guest.granule(boot.command, find_simulator(machine), image, words, boot.memory)
    ended = guest.run(argv, SECONDS)
    said = "\n".join(ended.console)
    if ended.status != 0:  # None: the machine stopped before
        raise Failed(f"{machine}, {boot}: status {ended.status}\n{said}")
    return said


def run(machine: str, boot: Boot) -> dict:
    return row(console(machine, boot), machine, boot) | {"commit": results.commit()}


def row(console: str, machine: str, boot: Boot) -> dict:
    try:
        figures = split(console, machine)[1]
    except MalformedResult as error:
        raise Failed(f"{machine}, {boot}: {error}") from error
    if not figures:
        raise Failed(f"{machine}, {boot}: it printed no figure")
    values = {figure.id.partition(".")[2]: int(figure.value) for figure in figures}
    smaps = {name: int(kb) for name, kb in SMAPS.findall(console)}
    return {"machine": machine, "boot": boot.name, "values": values, "smaps": smaps}


def places(recorded: dict) -> Found:
    return {(r["machine"], r["boot"]): r for r in recorded["figures"]}


def booted(found: Found) -> list[str]:
    """Machines of which all is there."""
    return [m for m in MACHINES if all((m, boot.name) in found for boot in boots(m))]


# ---- document 000 --------------------------------------------------------------------------------
def builds(found: Found, machine: str, choice: str, what: str) -> list[float]:
    """What each build took, in the document's units."""
    values = found[machine, "without" if choice == WITHOUT else "highmem"]["values"]

    def of(which: str) -> list[int]:
        return [values[f"{choice}.{n}.{which}"] for n in range(1, BUILDS + 1)]

    if what == "percent":
        busy = zip(of("user"), of("system"), of("elapsed"), strict=True)
        return [100 * (user + system) / elapsed for user, system, elapsed in busy]
    scale = 1e6 if what in ("elapsed", "user", "system") else 1
    return [value / scale for value in of(what)]


# Of the document's two tables: what it calls it, ours, and its row of the scoreboard.
KERNBENCH = {
    "Elapsed Time, s": ("elapsed", "H0.2"),
    "User Time, s": ("user", "H0.3"),
    "System Time, s": ("system", "H0.1"),
    "Percent CPU": ("percent", "H0.11"),
    "Context Switches": ("switches", "H0.12"),
    "Sleeps": ("sleeps", "H0.13"),
}
TWO = re.compile(r"([\d.]+)(?: \([\d.]+\))? and ([\d.]+)")


def theirs(identity: str, form: str) -> str:
    """The number that is published in a row of the scoreboard."""
    return format(load()[identity].published, form)


def ratio(found: Found, machine: str, what: str) -> float:
    """Page tables in high memory over those in low memory."""
    high, nohigh = (statistics.mean(builds(found, machine, c, what)) for c in (HIGH, NOHIGH))
    return high / nohigh


def spread(values: list[float]) -> str:
    return f"{statistics.mean(values):,.5g} ({statistics.stdev(values):.2g})"


def kernbench(found: Found) -> str:
    lines = []
    for said, (what, identity) in KERNBENCH.items():
        pair = [float(n) for n in TWO.search(load()[identity].line).groups()]
        shown = [f"{pair[0]:,}", f"{pair[1]:,}", f"{pair[0] / pair[1]:.3f}"]
        for machine in booted(found):
            shown += [spread(builds(found, machine, c, what)) for c in (HIGH, NOHIGH)]
            shown.append(f"{ratio(found, machine, what):.3f}")
            shown.append(spread(builds(found, machine, WITHOUT, what)))
        lines.append((said, *shown))
    ours = ("high", "nohigh", "ratio", "without HIGHMEM")
    head = ["mean of builds (deviation)", *(f"document: {w}" for w in ours[:3])]
    head += [f"{machine}: {w}" for machine in booted(found) for w in ours]
    return page.table(head, lines, "lr")


def of_the_kernel(found: Found, machine: str) -> float:
    """System time with page tables in high memory over that without, if all of what a build takes
    longer is the kernel's. Elapsed time is exact."""
    high, low = (statistics.mean(builds(found, machine, c, "elapsed")) for c in (HIGH, NOHIGH))
    return 1 + (high - low) / statistics.mean(builds(found, machine, NOHIGH, "system"))


def sampled(found: Found) -> str:
    told = " and ".join(f"{of_the_kernel(found, m):.3f} on `{m}`" for m in booted(found))
    return (
        "Ticks, 100 a second, tell system from user time: two builds do not settle that ratio, "
        "as their deviations say. If all of what a build takes longer is the kernel's, it takes "
        f"{told} times the system time."
    )


# ---- document 001 --------------------------------------------------------------------------------
FLUSHES = {"page": "H1.1", "range": "H1.15", "all": "H1.16"}


def of_kmap(found: Found, machine: str, what: str) -> int:
    return found[machine, "highmem"]["values"][f"{KMAP}.1.{what}"]


def sweeps(found: Found, machine: str) -> tuple[int, int, int]:
    """Of a release: maps, sweeps, and pages that these gave back."""
    return tuple(of_kmap(found, machine, what) for what in ("maps", "sweeps", "pages"))


def pages_a_sweep(found: Found, machine: str) -> float:
    _, count, pages = sweeps(found, machine)
    return pages / count


def flushes(found: Found) -> str:
    lines = []
    for which, identity in FLUSHES.items():
        ours = []
        for machine in booted(found):
            ours += [of_kmap(found, machine, which), of_kmap(found, machine, f"sbi_{which}")]
        what = {"page": "one page", "range": f"range of {SLOTS} pages", "all": "everything"}[which]
        lines.append((what, number(load()[identity].published), *map(number, ours)))
    head = ["flush", "document, cycles of 400 MHz"]
    head += [
        f"{m}, {how}" for m in booted(found) for how in ("sfence.vma", "by the firmware (SBI)")
    ]
    return page.table(head, lines, "lr")


def swept(found: Found) -> str:
    told = []
    for machine in booted(found):
        maps, count, _ = sweeps(found, machine)
        told.append(
            f"{pages_a_sweep(found, machine):,.1f} on `{machine}` (maps: {maps:,}, sweeps: {count})"
        )
    return (
        f"Pages that a sweep gives back: {'; '.join(told)}; "
        f"in the document {theirs('H1.7', ',.1f')}."
    )


# ---- document 004 --------------------------------------------------------------------------------
def a_hole(found: Found, machine: str, how: str, size: str) -> float:
    """Cycles of dax_load_hole()."""
    values = found[machine, f"{how} {size}"]["values"]
    return values["ticks"] / values["holes"]


def times_slower(found: Found, machine: str) -> float:
    page_each, zero = (a_hole(found, machine, how, HOLE_OF[machine]) for how in (PAGE, ZERO))
    return page_each / zero


def loads(found: Found) -> str:
    lines = [("document, 1 GiB", "3.4 us", "0.8 us", f"{load()['H4.1'].published}", "", "")]
    for machine in booted(found):
        size = HOLE_OF[machine]
        cycles = [a_hole(found, machine, how, size) for how in (PAGE, ZERO)]
        whole = [found[machine, f"{how} {size}"]["values"]["page"] for how in (PAGE, ZERO)]
        lines.append((f"{machine}, {size}", *map(number, cycles),
                      f"{times_slower(found, machine):.2f}",
                      *(f"{ns / 1000:.1f} us" for ns in whole)))  # fmt: skip
    head = ("a page of a hole", "dax_load_hole(), a page each", "on the zero page", "ratio",
            "as the program sees it, a page each", "on the zero page")  # fmt: skip
    return page.table(head, lines, "lr")


# What the document prints of the area, in its order; in kB, of 1 GiB.
SIZED = {PAGE: ("Size", "Rss", "Pss", "Private_Clean", "Referenced"), ZERO: ("Size",)}
PRINTED = ("Size", "Rss", "Pss", "Shared_Clean", "Shared_Dirty", "Private_Clean", "Private_Dirty",
           "Referenced", "Anonymous", "LazyFree", "AnonHugePages", "ShmemPmdMapped",
           "Shared_Hugetlb", "Private_Hugetlb", "Swap", "SwapPss", "KernelPageSize", "MMUPageSize",
           "Locked")  # fmt: skip


def printed(line: str, how: str, size_kb: int) -> int:
    """What the document prints there, for an area of another size."""
    if line in ("KernelPageSize", "MMUPageSize"):
        return 4
    return size_kb if line in SIZED[how] else 0


def smaps(found: Found) -> str:
    size = LARGE
    lines = []
    for name in PRINTED:
        of = []
        for how in (PAGE, ZERO):
            of += [printed(name, how, MIB), found[MACHINES[0], f"{how} {size}"]["smaps"][name]]
        lines.append((name, *(f"{kb:,}" for kb in of)))
    head = ("kB", "document, a page each", f"here, {size}", "document, zero page", f"here, {size}")
    return page.table(head, lines, "lr")


# ---- all of them ---------------------------------------------------------------------------------
def wrong(found: Found) -> list[str]:
    """What must be true and is not, as sentences."""
    said = []
    for machine in booted(found):
        maps, count, pages = sweeps(found, machine)
        if not count or not 0 < pages <= count * SLOTS:
            said.append(f"{machine}: {pages} pages in {count} sweeps of {SLOTS} slots; {maps} maps")
        size = HOLE_OF[machine]
        kb = HOLES[size][0] // 1024
        for how in (PAGE, ZERO):
            area = found[machine, f"{how} {size}"]
            if area["values"]["holes"] != kb // 4:
                said.append(f"{machine}, {how} {size}: {area['values']['holes']} holes")
            said += [
                f"{machine}, {how} {size}: {name} is {area['smaps'].get(name)} kB, "
                f"the document prints {printed(name, how, kb)}"
                for name in PRINTED
                if area["smaps"].get(name) != printed(name, how, kb)
            ]
    return said


def section(found: Found) -> str:
    """What docs/documents-on-linux.md shows."""
    if MACHINES[0] not in booted(found):
        return "Not measured yet: `make linux-documents` writes the tables here."
    commits = ", ".join(sorted({boot["commit"] for boot in found.values()}))
    return "\n\n".join(
        ["### 000", kernbench(found), sampled(found), "### 001", swept(found), flushes(found),
         "### 004", loads(found), smaps(found),
         f"Written by `make linux-documents`, commit {commits}."]
    )  # fmt: skip


def removal(found: Found) -> str:
    """What docs/removal-of-highmem.md shows."""
    if MACHINES[0] not in booted(found):
        return "Not measured yet: `make linux-documents` writes the figures here."
    said = []
    for machine in booted(found):

        def mean(choice: str, what: str, machine: str = machine) -> float:
            return statistics.mean(builds(found, machine, choice, what))

        system, elapsed = (ratio(found, machine, what) for what in ("system", "elapsed"))
        without = mean(NOHIGH, "elapsed") / mean(WITHOUT, "elapsed")
        pages = pages_a_sweep(found, machine)
        said.append(
            f"`{machine}`: a build with page tables in high memory takes {elapsed:.4f} times the "
            f"time of one with tables in low memory (2010: {theirs('H0.2', '.4f')}). Its system "
            f"time is {system:.3f} times as long by ticks (2010: {theirs('H0.1', '.3f')}), and "
            f"{of_the_kernel(found, machine):.3f} times if all that it takes longer is the "
            f"kernel's. Tables in low memory take {without:.4f} times the time of a kernel "
            "without high memory. A sweep of "
            f"`kmap()` gives back {pages:.1f} pages (2001: {theirs('H1.7', ',.1f')}), "
            "if copies take slots as in 2.4."
        )
    return "\n\n".join(said)


def readme(found: Found) -> str:
    """What README.md shows, of the first machine."""
    machine = MACHINES[0]
    if machine not in booted(found):
        return ""
    return (
        f"A build with tables in high memory: {ratio(found, machine, 'elapsed'):.3f} times as long "
        f"(000: {theirs('H0.2', '.3f')}); pages a sweep: {pages_a_sweep(found, machine):,.1f} "
        f"(001: {theirs('H1.7', ',.1f')}); a hole's own page: "
        f"{times_slower(found, machine):.2f} times (004: {theirs('H4.1', '.2f')})."
    )


def beside(recorded: dict) -> dict[str, float]:
    """What stands beside a published number in the scoreboard (docs/data/published.toml, also)."""
    found = places(recorded)
    if MACHINES[0] not in booted(found):
        return {}
    values = {"H1.7": pages_a_sweep(found, MACHINES[0]),
              "H4.1": times_slower(found, MACHINES[0])}  # fmt: skip
    for what, identity in KERNBENCH.values():
        values[identity] = ratio(found, MACHINES[0], what)
    for which, identity in FLUSHES.items():
        values[identity] = of_kmap(found, MACHINES[0], which)
    return values


MEASURED = Measured(
    NAME, "make linux-documents", "all of make linux-documents",
    {("docs/documents-on-linux.md", NAME): lambda recorded: section(places(recorded)),
     ("docs/removal-of-highmem.md", NAME): lambda recorded: removal(places(recorded)),
     ("README.md", NAME): lambda recorded: readme(places(recorded))},
)  # fmt: skip
