"""make page-sizes: what a page size for each process gains and wastes, experiment e005 on both
caches; tables of README.md and docs/page-size.md."""

from figures.measure import Boot, Measured, at_once, commit_of, measures
from figures.page import table
from figures.view import number
from granule.figures import FIGURE

MACHINES = ("teaching", "ulx3s")
SIZES = {"4k": "4 KiB", "16k": "16 KiB", "64k": "64 KiB"}
OF_SIZE = {
    "faults": "faults when 512 KiB are touched",
    "touch": "cycles of that, most of them zeroing",
    "walks-order": "walks of 2,048 writes in order",
    "walks": "walks of 4,096 reads at random",
    "read": "cycles of them",
    "fork": "fork of 512 KiB, cycles",
    "cow": "a word written in each 64 KiB after it, cycles",
    "copied": "KiB that this copies",
    "unmap": "unmap of 512 KiB, cycles",
    "sparse": "KiB that a word in each 64 KiB takes",
    "tables": "KiB of page tables below the root",
}
README = {"walks": "walks", "fork": "fork's cycles", "copied": "KiB copied"}
TOGETHER = {
    "switch": "switch to another page size, cycles",
    "switch-same": "switch without it, cycles",
    "turn": "a turn of two words, with its switch, cycles",
    "turn-flush": "the same if a switch flushes, cycles",
    "turn-walks": "walks of a turn",
    "turn-walks-flush": "walks of a turn if a switch flushes",
    "wrong": "entries, of 6, that ranges of another page size leave",
}

Values = dict[str, float]  # by configuration and id


def value(values: Values, machine: str, name: str) -> str:
    return number(values[f"{machine} G.{name}"])


def in_short(recorded: dict) -> str:
    """README: one machine, and what a reader would choose by."""
    rows = [
        (key, *(value(recorded["figures"], MACHINES[0], f"{name}.{key}") for name in README))
        for key in SIZES
    ]
    return table(("pages", *README.values()), rows, "lr", tight=True)


def whole(recorded: dict) -> str:
    """docs/page-size.md: both machines, those of one size and those of all."""
    values = recorded["figures"]
    each = [
        (what, *(value(values, m, f"{name}.{key}") for m in MACHINES for key in SIZES))
        for name, what in OF_SIZE.items()
    ]
    together = [
        (what, *(value(values, m, name) for m in MACHINES)) for name, what in TOGETHER.items()
    ]
    head = [f"`{m}`, {size}" for m in MACHINES for size in SIZES.values()]
    return "\n\n".join(
        (table(("", *head), each, "lr"),
         table(("", *(f"`{m}`" for m in MACHINES)), together, "lr"), commit_of(recorded))
    )  # fmt: skip


MEASURED = Measured(
    "page-sizes", "make page-sizes", ", ".join(MACHINES),
    {("README.md", "sizes"): in_short, ("docs/page-size.md", "sizes"): whole},
    kept=lambda rows: {f"{row['configuration']} {row['id']}": row["value"] for row in rows},
)  # fmt: skip


@measures(MEASURED)
def main(jobs: int) -> list[dict]:
    """Boot experiment e005 on both caches."""
    runs = at_once(jobs, Boot.figures, [Boot("pagesize=4k run=e005", m) for m in MACHINES])
    return [
        {"configuration": f.configuration, "id": f.id, "value": f.value, "unit": f.unit}
        for figures in runs
        for f in figures
        if f.cls == FIGURE
    ]
