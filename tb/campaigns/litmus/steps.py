"""What agents of a litmus shape do, and what memory holds: words of the shapes' table.

Memory is named: `pte_x` and `pmd_x` are the last two descriptors of page x, `a` and `b` are words
of data, one at the start of each physical page, `flag` is a word that nobody translates.
"""

from typing import NamedTuple


class Pte(NamedTuple):
    """A page descriptor, with the fields that VMSA litmus tests give it: `db` 1: it may be written
    (AP[2] is clear); `dbm` 1: hardware may set `db`, at the first write."""

    oa: str
    valid: int = 1
    af: int = 1
    db: int = 1
    dbm: int = 0

    def __str__(self) -> str:
        fields = [f"{k}:{v}" for k, v in self._asdict().items()
                  if k != "oa" and v != self._field_defaults[k]]  # fmt: skip
        return ",".join([self.oa, *fields])


class Table(NamedTuple):
    """A table descriptor: the last-level table that holds the cell `pte`."""

    pte: str

    def __str__(self) -> str:
        return f"table of {self.pte}"


Value = int | Pte | Table


class Store(NamedTuple):
    """Waits in the agent's store buffer, in order; an agent sees its own at once."""

    cell: str
    value: Value


class Load(NamedTuple):
    cell: str
    reg: str


class Swap(NamedTuple):
    """Atomic, past an empty store buffer; `reg` gets what was there."""

    cell: str
    value: Value
    reg: str


class Clear(NamedTuple):
    """Atomically clears the valid bit of a descriptor."""

    cell: str


class Await(NamedTuple):
    """Goes on when memory holds the value: a doorbell."""

    cell: str
    value: Value


class Barrier(NamedTuple):
    """DSB: the agent's stores are in memory and its invalidations are complete."""


class Flush(NamedTuple):
    """TLBI of the page x by VA, or of everything; `last`: leaves table entries."""

    all: bool = False
    last: bool = False


class Access(NamedTuple):
    """A translated access to page x; `reg` gets the word that it read, or why it may not. A write
    gives `reg` ok or the fault."""

    reg: str
    write: int | None = None


Step = Store | Load | Swap | Clear | Await | Barrier | Flush | Access
DSB = Barrier()
