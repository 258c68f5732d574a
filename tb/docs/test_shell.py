"""Every shell block of README and docs runs in `make test-labs`; those that need no build run in
`make test` too, the others in `make test-docs`."""

import pytest

from docs import shell
from docs.shell import TABLE, Block

BLOCKS = shell.blocks()
RUN = [b for b in BLOCKS if b.name not in TABLE.not_run]
# One after the other: they make folders of the same names.
ALONE = pytest.mark.xdist_group("shell-blocks")


def marks(block: Block) -> list:
    return [ALONE] if shell.is_quick(block) else [ALONE, pytest.mark.slow]


@pytest.mark.parametrize(
    "block", [pytest.param(b, id=f"{b.page}:{b.line}", marks=marks(b)) for b in RUN]
)
def test_block_runs(block: Block) -> None:
    shell.tidy()
    try:
        done = shell.run(block, TABLE.before.get(block.name, ""))
    finally:
        shell.tidy()
    said = (done.stdout + done.stderr)[-3000:]
    ended = f"{block.page}:{block.line} ends with {done.returncode}\n{said}"
    assert done.returncode == TABLE.status.get(block.name, 0), ended


def test_the_table_names_blocks_that_are_there() -> None:
    names = {b.name for b in BLOCKS}
    assert not (TABLE.not_run.keys() | TABLE.before.keys() | TABLE.status.keys()) - names
    assert 0 not in TABLE.status.values()
    assert all(TABLE.not_run.values()), "a block is not run, and the table does not say why"


def test_no_command_is_missed() -> None:
    """What begins with the name of a program is run, or is no shell block: it is fenced as text."""
    for page in shell.PAGES:
        assert not shell.missed((shell.ROOT / page).read_text()), page
