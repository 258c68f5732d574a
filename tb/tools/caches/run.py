"""make caches: document 002 on other data caches, as tables of what they have in common."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.catalogue import entry  # noqa: E402
from figures.measure import Boot, Failed, Measured, at_once, measures  # noqa: E402
from figures.page import table  # noqa: E402
from figures.rows import row_of  # noqa: E402
from figures.view import optional  # noqa: E402
from tools.caches.machines import MACHINES, SECOND_LEVEL, TOPICS, Topic  # noqa: E402

HEAD = """\
# Document 002 on other data caches

`make caches` wrote this page, of commit {commit}. It boots experiment e002 at 4K on one machine
for each line; what the counts stand beside is a model of the cache that knows nothing of the
hardware (sw/experiments/cache_model.c), and the run fails when they differ.
"""

Values = dict[tuple[str, str], float]  # by machine and id


def boot(name: str) -> Boot:
    config, _, second = name.partition("+")
    options = ("--memory", SECOND_LEVEL) if second else ()
    return Boot("pagesize=4k run=e002", config, options=options, name=name)


def section(topic: Topic, values: Values) -> str:
    """Markdown of one topic; its machines that did not run are left out."""
    ran = [name for name in topic.machines if any(key[0] == name for key in values)]
    lines = [
        (name, *(optional(values.get((name, i))) for i in topic.columns), MACHINES[name])
        for name in ran
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
@click.option("--only", multiple=True, type=click.Choice(list(MACHINES)))
def main(only: tuple[str, ...], jobs: int) -> list[dict] | None:
    """Boot experiment e002 on the machines with other data caches."""
    chosen = only or tuple(MACHINES)
    runs = at_once(jobs, Boot.figures, map(boot, chosen))
    rows = [row_of(figure).as_json() for figures in runs for figure in figures]
    click.echo("\n" + sections({(r["configuration"], r["id"]): r["value"] for r in rows}))
    failed = [f"{r['id']} of {r['configuration']}" for r in rows if r["verdict"] == "FAIL"]
    if failed:
        raise Failed(f"beside the model: {', '.join(failed)}")
    return None if only else rows


if __name__ == "__main__":
    main()
