"""Boots the firmware on a simulator and reads its console."""

import functools
from dataclasses import dataclass

from granule.figures import Figure, split
from sim.simulator import simulate
from support.run import built

MAX_CYCLES = 120_000_000  # twice what the longest run needs


@dataclass
class Boot:
    """One run of the firmware."""

    status: int
    text: str
    figures: dict[str, Figure]
    cycles: int

    def value(self, name: str) -> float:
        assert name in self.figures, f"no RESULT {name} in:\n{self.text}"
        return self.figures[name].value


@functools.cache
def boot(arguments: str, config: str = "teaching", stdin: str = "", *options: str) -> Boot:
    """The run with these boot arguments; once a session, as it is the same every time."""
    elf = built("build/sw/granule.elf")
    run = simulate(
        elf,
        "--append",
        arguments,
        "--max-cycles",
        str(MAX_CYCLES),
        *options,
        config=config,
        stdin=stdin,
    )
    lines, figures = split(run.out.replace("\r", ""), config)
    assert run.status != 124, f"the run did not end:\n{run.out}\n{run.err}"
    by_name = {figure.id: figure for figure in figures}
    assert len(by_name) == len(figures), "an id was printed twice"
    return Boot(run.status, "\n".join(lines), by_name, run.cycles)
