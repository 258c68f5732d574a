"""One runner for what measures: it boots, records what was measured, and writes the pages that show
the record. What a command measures is a Measured; only its judgement is its own."""

import functools
import json
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from figures.page import put
from granule import simulator
from granule.figures import Figure
from support import commits, results
from support.root import ROOT

BUILD, DOCS = ROOT / "build", ROOT / "docs"
KEYS = ("configuration", "seed", "commit", "command")  # of a record, beside its figures


class Failed(click.ClickException):
    """A boot failed, or what must be true of its figures is not; says which."""


@dataclass(frozen=True)
class Boot:
    """A simulator, an image (both in build/), and what that is booted with. `name`: of its row."""

    arguments: str
    machine: str | Path = simulator.TEACHING
    image: str = "sw"
    options: tuple[str, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name or self.machine}: {self.arguments}"

    def run(self, elf: Path | None = None, **more) -> simulator.Run:
        """`elf`: another program than the image."""
        elf = elf or BUILD / self.image / "granule.elf"
        more |= {"simulator": self.machine, "options": self.options}
        try:
            return simulator.run(elf, self.arguments, **more).check()
        except (simulator.SimulatorError, simulator.RunFailed) as error:
            raise Failed(f"{self}: {error}") from error

    def figures(self) -> list[Figure]:
        named = {"configuration": self.name} if self.name else {}
        return [replace(figure, **named) for figure in self.run().figures.values()]

    def values(self) -> dict[str, float]:
        return {figure.id: figure.value for figure in self.figures()}


def at_once(jobs: int, do: Callable, todo: Iterable) -> list:
    """`do` for each, so many at once; says which have ended, and when all will have. In the order
    of `todo`."""
    todo, began = list(todo), time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(do, job) for job in todo]
        try:
            for count, ended in enumerate(as_completed(waiting), 1):
                ended.result()
                job = todo[waiting.index(ended)]
                said = ", ".join(map(str, job)) if isinstance(job, tuple) else job
                took = time.monotonic() - began
                left = took / count * (len(todo) - count)
                click.echo(f"[{count}/{len(todo)}] {took:.0f} s, {left:.0f} s to go: {said}")
        finally:
            pool.shutdown(cancel_futures=True)
    return [one.result() for one in waiting]


@dataclass(frozen=True)
class Measured:
    """What a command measures: build/results/NAME.json, its copy docs/data/NAME.json, and what is
    shown of that: page, marker, and text of a record. Without a marker it is the page."""

    name: str
    command: str
    configuration: str
    shows: Mapping[tuple[str, str], Callable[[dict], str]]
    kept: Callable = staticmethod(lambda figures: figures)  # what the copy has of the figures
    draws: Mapping[str, Callable[[dict, Path], None]] = field(default_factory=dict)  # pictures

    @property
    def copy(self) -> Path:
        return DOCS / "data" / f"{self.name}.json"

    def recorded(self) -> dict:
        return json.loads(self.copy.read_text())

    def pages(self, recorded: dict) -> dict[Path, str]:
        made: dict[Path, str] = {}
        for (name, marker), text in self.shows.items():
            page, content = ROOT / name, text(recorded)
            old = made.get(page) or (page.read_text() if marker else "")
            made[page] = put(old, marker, content) if marker else content
        return made

    def publish(self) -> None:
        found = results.read(self.name)
        if found is None:
            raise Failed(f"build/results/{self.name}.json is missing; {self.command} writes it")
        recorded = {key: found[key] for key in KEYS if found[key] is not None}
        commits.note(found["commit"])
        self.write(recorded | {"figures": self.kept(found["figures"])})

    def write(self, recorded: dict) -> None:
        self.copy.write_text(results.by_lines(recorded))
        pages = self.pages(recorded)
        for page, text in pages.items():
            page.write_text(text)
        for name, draw in self.draws.items():
            draw(recorded, ROOT / name)
        written = (self.copy, *pages, *(ROOT / name for name in self.draws))
        click.echo(f"written: {', '.join(str(path.relative_to(ROOT)) for path in written)}")

    def record(self, figures, **more) -> None:
        results.write(self.name, self.configuration, figures, command=self.command, **more)
        self.publish()


def merged(old: list[dict], new: list[dict], *keys: str) -> list[dict]:
    """One row for each place, which `keys` tell: the new one if there is one."""
    return list({tuple(row[key] for key in keys): row for row in (*old, *new)}.values())


def commit_of(recorded: dict) -> str:
    return f"C{commits.said(recorded['commit'])[1:]}."


def measures(measured: Measured, jobs: int = 2) -> Callable[[Callable], click.Command]:
    """The command around a function that measures with so many `jobs` and answers the figures."""

    def command(measure: Callable) -> click.Command:
        @click.command(help=measure.__doc__)
        @click.option("--jobs", default=jobs, show_default=True, help="simulations at once")
        @functools.wraps(measure)
        def main(jobs: int) -> None:
            measured.record(measure(jobs))

        return main

    return command
