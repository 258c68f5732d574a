"""make renew: which records of docs/data are older than the sources of what they measure, and the
commands that measure again."""

import re
import subprocess
from pathlib import Path

import click

from support import commits as builds
from support import results
from support.results import git
from support.root import ROOT

DATA = ROOT / "docs" / "data"
# Of each record its command, and the folders whose change can change a figure.
RECORDS = {
    "demo": (f"{results.FULL_DEMO} && make publish", "rtl sw"),
    "figures": ("make figures FULL=1 && make publish", "rtl sw"),
    "flush": ("make flush", "rtl sw"),
    "caches": ("make caches", "rtl sw"),
    "dma": ("make dma", "rtl sw"),
    "dma-documents": ("make dma", "rtl sw"),
    "tlb-modes": ("make tlb-modes", "rtl sw"),
    "entries": ("make entry-figures", "rtl sw"),
    "page-sizes": ("make page-sizes", "rtl sw"),
    "stalls": ("make stalls && make publish", "rtl sw tb/sim/programs"),
    "linux-documents": ("make linux-documents", "rtl sw/linux sw/sbi"),
    "linux-boots": ("make linux-documents", "rtl sw/linux sw/sbi"),
    "invalidation": ("make invalidation COMMANDS=1000000", "rtl"),
    "area": ("make area", "rtl tb/tools/area tb/tools/pnr"),
    "fpga": ("make fpga && make publish", "rtl fpga tb/tools/pnr"),
    "waves": ("make waves", "rtl"),
    "kills": ("make kills", "rtl tb/unit"),
}
# Of the machines and the image whose digests a commit has: they tell whether it is stale.
BY_DIGEST = ("demo", "figures")
NO_SOURCES = (":!sw/tests", ":!*.md")


def commits(path: Path, root: Path = ROOT) -> set[str]:
    """Those that a record names; of one that names none, the commit that wrote it."""
    named = set(re.findall(r'"commit": "([\w-]+)', path.read_text()))
    return named or {git("log", "-1", "--format=%h", "--", str(path), root=root)}


def since(commit: str, sources: str, root: Path = ROOT) -> int | None:
    """Commits after this one that touch the sources; None: this checkout does not know it."""
    range_ = f"{commit.removesuffix('-dirty')}..HEAD"
    paths = (*sources.split(), *NO_SOURCES)
    count = git("rev-list", "--count", range_, "--", *paths, root=root)
    return int(count) if count else None


def stale() -> dict[str, str]:
    """Why, by record."""
    found = {}
    for name, (_, sources) in RECORDS.items():
        for commit in sorted(commits(DATA / f"{name}.json")):
            built = name in BY_DIGEST and builds.is_built(commit)
            count = 0 if built else since(commit, sources)
            if count is None:
                found[name] = f"commit {commit} is not in this checkout"
            elif count:
                found[name] = f"{count} commits to {sources} since {commit}"
    return found


@click.command()
@click.argument("only", nargs=-1)
def main(only: tuple[str, ...]) -> None:
    """Lists the records that are stale, and measures those again that are named; `all`: each."""
    if unknown := [name for name in only if name not in (*RECORDS, "all")]:
        raise click.ClickException(f"no {', '.join(unknown)}; there are: {', '.join(RECORDS)}, all")
    reasons = stale()
    for name, reason in reasons.items():
        click.echo(f"{name}: {reason}; {RECORDS[name][0]}")
    chosen = reasons if "all" in only else only
    for command in dict.fromkeys(RECORDS[name][0] for name in chosen):
        click.echo(f"renew: {command}")
        subprocess.run(command, shell=True, cwd=ROOT, check=True)
