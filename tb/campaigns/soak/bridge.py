"""`make soak-bridge`: random traffic of AxiMaster through the bridge, BEATS of it, in runs of
200,000 with a seed each. It ends at the first run that fails and names its seed."""

import re
import time
from contextlib import redirect_stdout

import click

from support import results
from support.run import run_unit
from support.seed import drawn

RUN = 200_000
APART = ".soak"  # `make test` has the same tests meanwhile
MODULE, CONFIG = "unit.bridge.cocotb_bridge_random", "vmsa48_nocache"
SAID = re.compile(r"random traffic: (\d+) beats in (\d+) cycles")


def run(seed: int, beats: int) -> tuple[int, int]:
    """Beats and cycles of one run."""
    environment = {"SEED": str(seed), "BEATS": str(beats)}
    chosen = {"tests": ["random_traffic"], "beside": APART}
    run_unit("devicemmu", MODULE, CONFIG, extra_env=environment, **chosen)
    log = results.ROOT / "build/sim/results" / f"{MODULE}.devicemmu_{CONFIG}{APART}" / "run.log"
    said = SAID.search(log.read_text())
    if said is None:
        raise click.ClickException(f"{log} does not say how many beats there were")
    return int(said[1]), int(said[2])


@click.command()
@click.option("--beats", default=1_000_000, show_default=True)
@click.option("--seed", type=int, default=None, help="of the first run; empty: a new one")
def main(beats: int, seed: int | None) -> None:
    """Random traffic through the bridge."""
    seed = drawn() if seed is None else seed
    began, done, cycles, runs = time.monotonic(), 0, 0, 0
    while done < beats:
        click.echo(f"soak-bridge: seed {seed + runs}, {done} of {beats} beats")
        try:
            with redirect_stdout(None):
                more, taken = run(seed + runs, min(RUN, beats - done))
        except BaseException:
            click.echo(f"soak-bridge: FAILED, make soak-bridge SEED={seed + runs}")
            raise
        done, cycles, runs = done + more, cycles + taken, runs + 1
    seconds = time.monotonic() - began
    figures = {"beats": done, "cycles": cycles, "runs": runs, "seconds": round(seconds)}
    path = results.write("soak-bridge", CONFIG, figures, seed=seed, command="make soak-bridge")
    click.echo(f"soak-bridge: {done} beats without an error, {done / seconds:.0f} a second; {path}")
