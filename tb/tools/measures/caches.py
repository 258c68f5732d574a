"""make caches: document 002 on other data caches, as tables of what they have in common."""

from typing import NamedTuple

import click

from figures.catalogue import entry
from figures.measure import Boot, Failed, Measured, at_once, measures
from figures.page import table
from figures.rows import row_of
from figures.view import optional

# By the name of their simulator (lab/Configurations.scala).
MACHINES = {
    "teaching": "32 KiB, 8 ways of 4 KiB, LRU: the document's",
    "teaching_plru": "the same with tree-PLRU replacement",
    "teaching_nru": "the same with NRU replacement, one bit a way",
    "teaching_random": "the same with random replacement",
    "ways2": "8 KiB, 2 ways of 4 KiB, LRU",
    "ways4": "16 KiB, 4 ways of 4 KiB, LRU",
    "ways16": "64 KiB, 16 ways of 4 KiB, LRU",
    "ulx3s": "32 KiB, 2 ways of 16 KiB, VIPT, one copy of a line",
    "ulx3s_copies": "the same, VIPT, copies of clean lines",
    "ulx3s_physical": "the same, physically indexed",
    "physical64k": "64 KiB, 4 ways of 16 KiB, physically indexed",
    "ulx3s_l2": "ulx3s with a level-2 cache of 256 KiB, 8 ways of 32 KiB",
}


class Topic(NamedTuple):
    """One table: a line a machine, a column a figure (its head by its id)."""

    title: str
    machines: tuple[str, ...]
    columns: dict[str, str]


TOPICS = (
    Topic(
        "Three designs of a cache with ways larger than a page: eight reads of untouched pages",
        ("ulx3s", "ulx3s_copies", "ulx3s_physical", "physical64k"),
        {"A-5.single": "misses, one zero page", "A-5.coloured": "misses, one a colour",
         "A-5.fewer": "times fewer", "A-5.faster": "times faster"},
    ),
    Topic(
        "Replacement: misses a read with one line more than the eight ways",
        ("teaching", "teaching_plru", "teaching_nru", "teaching_random"),
        {"H2.2": "beside version 1 of the document", "H2.8.rate": "beside version 3"},
    ),
    Topic(
        "Ways: the number of lines of one set at which misses begin",
        ("ways2", "ways4", "teaching", "ways16"),
        {"A-9": "lines", "A-1.over": "misses a read, one line more"},
    ),
    Topic(
        "Zero pages with neighbours: misses of a thousand passes",
        ("teaching", "ulx3s", "ulx3s_copies", "ulx3s_physical", "physical64k"),
        {"A-6.total": "document's rule and one hot line",
         "A-6.way": "one page a colour and the line",
         "A-7.single": "a full set, one zero page in it",
         "A-7.coloured": "the same, one page a colour"},
    ),
    Topic(
        "Time of one line more than ways, and a level-2 cache",
        ("teaching", "ulx3s", "ulx3s_l2"),
        {"A-3.loop": "cycles a hit", "A-3.miss": "cycles a miss more",
         "H2.4": "percent more in all", "H2.5": "percent more a read", "H2.8": "times a read",
         "A-3.v3": "work for 2.15 times"},
    ),
    Topic(
        "Whole zero pages by the document's rule: percent more misses and time",
        ("teaching", "ulx3s", "ulx3s_l2", "ulx3s_copies", "ulx3s_physical"),
        {"H2.9": "misses", "H2.9.time": "time"},
    ),
)  # fmt: skip
HEAD = """\
# Document 002 on other data caches

`make caches` wrote this page, of commit {commit}. It boots experiment e002 at 4K on one machine
for each line; what the counts stand beside is a model of the cache that knows nothing of the
hardware (sw/experiments/cache_model.c), and the run fails when they differ.
"""

Values = dict[tuple[str, str], float]  # by machine and id


def boot(name: str) -> Boot:
    return Boot("pagesize=4k run=e002", name, name=name)


def section(topic: Topic, values: Values) -> str:
    """Markdown of one topic."""
    lines = [
        (name, *(optional(values.get((name, i))) for i in topic.columns), MACHINES[name])
        for name in topic.machines
    ]
    published = [entry(identity).published for identity in topic.columns]
    if any(value is not None for value in published):
        lines.append(("document", *map(optional, published), "as published"))
    head = ("machine", *topic.columns.values(), "what it is")
    return f"## {topic.title}\n{table(head, lines)}\n"


def sections(values: Values) -> str:
    return "\n".join(section(topic, values) for topic in TOPICS)


def page(recorded: dict) -> str:
    values = {tuple(key.split(" ")): value for key, value in recorded["figures"].items()}
    return HEAD.format(commit=recorded["commit"]) + "\n" + sections(values)


MEASURED = Measured(
    "caches", "make caches", "all of make caches", {("docs/caches.md", ""): page},
    kept=lambda rows: {f"{row['configuration']} {row['id']}": row["value"] for row in rows},
)  # fmt: skip


@measures(MEASURED)
def main(jobs: int) -> list[dict]:
    """Boot experiment e002 on the machines with other data caches."""
    runs = at_once(jobs, Boot.figures, map(boot, MACHINES))
    rows = [row_of(figure).as_json() for figures in runs for figure in figures]
    click.echo("\n" + sections({(r["configuration"], r["id"]): r["value"] for r in rows}))
    failed = [f"{r['id']} of {r['configuration']}" for r in rows if r["verdict"] == "FAIL"]
    if failed:
        raise Failed(f"beside the model: {', '.join(failed)}")
    return rows
