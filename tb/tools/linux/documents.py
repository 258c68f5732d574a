"""make linux-documents: the documents in Linux itself. Each machine boots the kernel with
sw/linux/patches, with what the patches do and without it; one boots the unmodified kernel, too."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import Failed, Measured, at_once  # noqa: E402
from support import results  # noqa: E402
from support.root import ROOT  # noqa: E402
from system.linux import guest  # noqa: E402
from tools.linux import zero_pages  # noqa: E402
from tools.linux.zero_pages import UNMODIFIED, Machine, Row  # noqa: E402

NAME = "linux-documents"
COMMAND = f"make {NAME}"
SECONDS = 2400  # several times what a boot takes on a busy machine


def image(kernel: str) -> Path:
    name = "unmodified" if kernel == UNMODIFIED else "patched"
    return ROOT / "build" / NAME / f"{name}.elf"


def boot(machine: Machine, kernel: str) -> list[Row]:
    """One boot, from reset to the end of its command."""
    argv = guest.granule(
        zero_pages.COMMAND.format(kernel=kernel),
        ROOT / "build" / machine.simulator,
        image(kernel),
        f"loglevel=4 {zero_pages.WORDS[kernel]}".strip(),
    )
    run = guest.run(argv, SECONDS)
    if run.status:
        raise Failed(f"{machine.name}, {kernel}: status {run.status}\n" + "\n".join(run.console))
    try:
        return zero_pages.rows(run.console, machine.name, kernel, results.commit())
    except zero_pages.NoResult as error:
        raise Failed("\n".join([str(error), "its console:", *run.console[-40:]])) from None


def places(recorded: dict) -> zero_pages.Found:
    return zero_pages.by_place(Row(**row) for row in recorded["figures"])


MEASURED = Measured(
    NAME, COMMAND, f"all of {COMMAND}",
    {
        ("docs/linux.md", NAME): lambda recorded: zero_pages.section(places(recorded)),
        ("README.md", NAME): lambda recorded: zero_pages.readme(places(recorded)),
    },
)  # fmt: skip


@click.command(help=__doc__)
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--only", multiple=True, type=click.Choice([m.name for m in zero_pages.MACHINES]))
def main(jobs: int, only: tuple[str, ...]) -> None:
    chosen = [m for m in zero_pages.MACHINES if not only or m.name in only]
    boots = [(machine, kernel) for machine in chosen for kernel in machine.kernels]
    found = at_once(jobs, lambda b: boot(*b), boots)
    now = zero_pages.by_place(row for rows in found for row in rows)
    click.echo("\n" + zero_pages.table(now) + "\n")
    if wrong := zero_pages.wrong(now):
        raise Failed("\n".join(wrong))
    results.write(NAME, MEASURED.configuration, zero_pages.as_json(now.values()), command=COMMAND)
    # Machines that did not boot now keep what they had, with its commit.
    all_of = (places(MEASURED.recorded()) if only else {}) | now
    MEASURED.write({"command": COMMAND, "figures": zero_pages.as_json(all_of.values())})


if __name__ == "__main__":
    main()
