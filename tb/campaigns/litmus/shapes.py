"""The litmus shapes: what each asks, what memory holds at first, what each agent does, and which
ends are allowed.

A name without "(ours)" is that of the literature, where the shape is the same; behind `--` is the
verdict there, and from whom:
  S   Simner et al., Relaxed virtual memory in Armv8-A: their models
  W   the same group's runs on hardware (system-litmus-harness)
  H   the catalogue aarch64-VMSA of herdtools7, with FEAT_ETS2
An agent is a CPU whose accesses are translated by the MMU under test. Its steps are in order. The
agent `dma` has physical addresses. A cell is what X says unless braces say otherwise; `read` and
`write` are translated accesses, a register with a cell beside it is loaded.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from campaigns.litmus import steps
from campaigns.litmus.steps import Pte, Step, Table, Value

FAULT2, FAULT3, DENIED, OK = "fault level 2", "fault level 3", "permission", "ok"
NAMED = {
    "clean": Pte("a", db=0, dbm=1), "dirty": Pte("a", dbm=1), "unused": Pte("a", af=0),
    "table_x": Table("pte_x"), "table_2": Table("pte_2"),
    "fault2": FAULT2, "fault3": FAULT3, "denied": DENIED, "ok": OK,
}  # fmt: skip
# Page x is in a, whose word is 0; b holds 1.
X = {"pmd_x": Table("pte_x"), "pte_x": Pte("a"), "a": 0, "b": 1}
BREAK = "pte_x = 0; dsb; tlbi; dsb"
TEXT = """\
# Break before make.
CoWinvT+dsb-isb: a page is unmapped and not invalidated: it may be used for ever
  P0: pte_x = 0; dsb; r2 = read
  allowed: r2=0 -- seen (W)
CoWinvT1+dsb-tlbi-dsb: it is invalidated too, and asked for by the same CPU
  P0: break; r2 = read
  forbidden: r2=0 -- not seen (W)
CoWT.inv: a page is mapped; the store may still wait when the walk reads
  {pte_x=0} P0: pte_x = a; r2 = read
  allowed: r2=fault3 -- seen (W)
CoWT.inv+dsb-isb: no fault is kept: a page that is mapped needs no invalidation
  {pte_x=0} P0: pte_x = a; dsb; r2 = read
  forbidden: r2=fault3 -- not seen (W)
BBM+dsb-tlbiis-dsb: another CPU reads while a page moves: it may be early
  P0: break; pte_x = b || P1: r0 = read
  allowed: r0=0 -- allowed (S)
RBS+dsb-tlbiis-dsb: a page is given to somebody else after it was invalidated
  P0: break; a = 2 || P1: r0 = read
  forbidden: r0=2 -- forbidden (S)
RBS+dsb (ours): the same without the invalidation
  P0: pte_x = 0; dsb; a = 2 || P1: r0 = read
  allowed: r0=2
RBS+dsb-tlbiis (ours): the same, and nobody waits for its end
  P0: pte_x = 0; dsb; tlbi; a = 2 || P1: r0 = read
  allowed: r0=2
RBS+dsb-tlbiall-dsb (ours): everything is invalidated instead of the page
  P0: pte_x = 0; dsb; tlbi all; dsb; a = 2 || P1: r0 = read
  forbidden: r0=2
RBS.write+dsb-tlbiis-dsb (ours): a write with an old translation destroys a new word
  P0: break; a = 2; dsb; r1 = a || P1: r0 = write 7
  forbidden: r1=7 | a=7
RBS.dma+dsb-tlbiis-dsb (ours): the page is given to a device, which fills it
  {flag=0} P0: break; flag = 1 || P1: r0 = read || dma: await flag 1; a = 2
  forbidden: r0=2
MP.RT.EL1+dsb-tlbiis-dsb+dsb-isb: who was told of the end does not use the page
  {flag=0} P0: break; flag = 1 || P1: r0 = flag; dsb; r2 = read
  forbidden: r0=1 r2=0 -- forbidden (S)
MP.RT+dsb+dsb-isb (ours): the same without the invalidation
  {flag=0} P0: pte_x = 0; dsb; flag = 1 || P1: r0 = flag; dsb; r2 = read
  allowed: r0=1 r2=0
coRR-pte4: a page moves without a break: new, then old
  P0: r2 = read; dsb; r4 = read || P1: pte_x = b
  allowed: r2=1 r4=0 -- allowed (H)
coRR-pte6: the reader invalidates between its reads
  P0: r2 = read; dsb; tlbi; dsb; r4 = read || P1: pte_x = b
  forbidden: r2=1 r4=0 -- forbidden (H)
coRR-pte7: a page moves with a break: new, then the break
  P0: r2 = read; r4 = read || P1: break; pte_x = b
  forbidden: r2=1 r4=fault3 -- forbidden (H)
coRR-pte8-dsb: a page is mapped: seen, then not
  {pte_x=0} P0: r2 = read; dsb; r4 = read || P1: pte_x = a
  forbidden: r2=0 r4=fault3 -- forbidden (H)
coRR-pte9: a page moves with a break: new, then old
  P0: r2 = read; r4 = read || P1: break; pte_x = b
  forbidden: r2=1 r4=0 -- forbidden (H)
coRR-pte9-nobbm: the new entry stands there before the old one is invalidated
  P0: r2 = read; r4 = read || P1: pte_x = b; dsb; tlbi; dsb
  allowed: r2=1 r4=0 -- allowed (H)

# The table of page x is unhooked, or replaced by one that holds pte_2.
ROT.inv+dsb: a table is filled, then hooked in: it is never seen empty
  {pmd_x=0 pte_x=0} P0: pte_x = a; dsb; pmd_x = table_x || P1: r0 = read
  forbidden: r0=fault3 -- forbidden (S)
RBS.table+dsb-tlbiis-dsb (ours): a table is unhooked, invalidated, and used again
  P0: pmd_x = 0; dsb; tlbi; dsb; pte_x = b || P1: r0 = read
  forbidden: r0=1
RBS.table+dsb-tlbiis.last-dsb (ours): only last levels are invalidated: tables stay
  P0: pmd_x = 0; dsb; tlbi last; dsb; pte_x = b || P1: r0 = read
  allowed: r0=1
BBM.table+dsb-tlbiis-dsb (ours): one table takes the place of another: old after new
  {pte_2=b} P0: pmd_x = 0; dsb; tlbi; dsb; pmd_x = table_2 || P1: r0 = read; r2 = read
  forbidden: r0=1 r2=0 | r0=1 r2=fault2
AF.table+dsb-tlbiis-dsb (ours): a table that is in use no more is updated
  {pte_x=unused pte_2=b} P0: pmd_x = table_2; dsb; tlbi; dsb; r1 = pte_x || P1: r0 = read
  forbidden: r1=unused pte_x=a
AF.table+dsb-tlbiis (ours): the same, and nobody waits for the invalidation
  {pte_x=unused pte_2=b} P0: pmd_x = table_2; dsb; tlbi; r1 = pte_x || P1: r0 = read
  allowed: r1=unused pte_x=a

# Access flag and dirty state.
STR-AF: a write to a page without access flag sets it
  {pte_x=unused} P0: r0 = write 1
  required: a=1 pte_x=a r0=ok -- required (H)
STR-DB: a write to a page that is clean makes it dirty
  {pte_x=clean} P0: r0 = write 1
  required: a=1 pte_x=dirty r0=ok -- required (H)
STRx-LDRptex: access flag and dirty state are set in one step
  {pte_x=a,af:0,db:0,dbm:1} P0: r0 = write 1 || P1: r3 = pte_x
  forbidden: pte_x=a,af:0,dbm:1 | pte_x=clean -- forbidden (H)
STRx-LDRptex4: dirty, and never used: nobody sees it
  {pte_x=a,af:0,db:0,dbm:1} P0: r0 = write 1 || P1: r3 = pte_x
  forbidden: r3=a,af:0,dbm:1 -- forbidden (H)
STRx+STCLRptex+af: unmapped beside the first use: flag and access go together
  {pte_x=unused} P0: r0 = write 1 || P1: clear pte_x
  required: r0=fault3 pte_x=a,valid:0,af:0 a=0 | r0=ok pte_x=a,valid:0 a=1 -- optional (H)
STRx+STCLRptex+db: marked dirty, and the write is not done
  {pte_x=clean} P0: r0 = write 1 || P1: clear pte_x
  forbidden: pte_x=a,valid:0,dbm:1 a=0 r0=fault3 -- forbidden (H)
STRx+SWPptex1: swapped out while it is clean: the write faults
  {pte_x=clean} P0: r0 = write 1 || P1: r4 = swap pte_x a,valid:0
  allowed: r4=clean pte_x=a,valid:0 r0=fault3 -- allowed (H)
STRx+SWPptex+db: swapped out while it is dirty: the write was done
  {pte_x=clean} P0: r0 = write 1 || P1: r8 = swap pte_x a,valid:0,db:0,dbm:1
  forbidden: r8=dirty a=0 r0=fault3 -- forbidden (H)
STRx+SWPptex-lost (ours): swapped out while it is clean, and written all the same
  {pte_x=clean} P0: r0 = write 1 || P1: r8 = swap pte_x a,valid:0,db:0,dbm:1
  forbidden: r8=clean a=1
STRx+2SWPptex+db: cleaned twice: one write does not make it dirty twice
  {pte_x=clean} P0: r2 = write 1 || P1: r0 = swap pte_x clean; r1 = swap pte_x clean
  forbidden: r0=dirty r1=dirty r2=ok a=1 | r0=dirty pte_x=dirty r2=ok a=1 -- forbidden (H)
STRx+STRptex+oa.af (ours): a flag is set over a newer store
  {pte_x=unused} P0: r0 = write 1 || P1: pte_x = b,af:0
  forbidden: pte_x=a | pte_x=dirty | pte_x=unused | pte_x=clean | pte_x=a,db:0
    | pte_x=a,af:0,dbm:1 | pte_x=a,af:0,db:0 | pte_x=a,af:0,db:0,dbm:1
STR-TLBI: a page moves after its write: the new entry stays as it is
  {pte_x=clean b=0} P0: r0 = write 1; dsb; tlbi; dsb; pte_x = b,dbm:1
  forbidden: a=1 pte_x=dirty -- forbidden (H)
copy+swp-dsb-tlbiis-dsb (ours): written back while somebody writes: nothing is lost
  {pte_x=dirty} P0: r8 = swap pte_x clean; dsb; tlbi; dsb; r1 = a || P1: r0 = write 1
  forbidden: r1=0 a=1 pte_x=clean
copy+swp (ours): the same without the invalidation
  {pte_x=dirty} P0: r8 = swap pte_x clean; dsb; r1 = a || P1: r0 = write 1
  allowed: r1=0 a=1 pte_x=clean
"""
Row = dict[str, Value | str]  # what registers and cells are at the end


@dataclass(frozen=True)
class Shape:
    """`ends`: the ends that are asked for, each a part of what is at the end; with `always` every
    end must be one of them. Question and answer: allowed or forbidden; required or optional."""

    name: str
    meaning: str
    memory: dict[str, Value]
    agents: dict[str, tuple[Step, ...]]
    ends: tuple[Row, ...]
    ours: str  # the model's verdict, which the model must give
    published: str  # "forbidden (S)", or nothing

    @property
    def always(self) -> bool:
        return self.ours in ("required", "optional")


def value(text: str) -> Value | str:
    """As `str` writes it, or a name."""
    if text in NAMED or text.isdecimal():
        return NAMED[text] if text in NAMED else int(text)
    oa, *fields = text.split(",")
    return Pte(oa, **{name: int(bit) for name, bit in (field.split(":") for field in fields)})


def row(text: str) -> Row:
    pairs = (pair.split("=") for pair in text.split())
    return {name: value(held) for name, held in pairs}


def program(text: str) -> Iterator[Step]:
    for words in (step.split() for step in text.replace("break", BREAK).split(";")):
        match words:
            case ["dsb"]:
                yield steps.DSB
            case ["tlbi", *how]:
                yield steps.Flush(all="all" in how, last="last" in how)
            case ["clear", cell]:
                yield steps.Clear(cell)
            case ["await", cell, held]:
                yield steps.Await(cell, value(held))
            case [reg, "=", "read"]:
                yield steps.Access(reg)
            case [reg, "=", "write", word]:
                yield steps.Access(reg, int(word))
            case [reg, "=", "swap", cell, new]:
                yield steps.Swap(cell, value(new), reg)
            case [reg, "=", cell] if reg[0] == "r":
                yield steps.Load(cell, reg)
            case [cell, "=", new]:
                yield steps.Store(cell, value(new))
            case _:
                raise ValueError(f"no step: {' '.join(words)}")


def shapes(text: str) -> Iterator[Shape]:
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith(" "):
            blocks[-1].append(line.strip())
        elif line and not line.startswith("#"):
            blocks.append([line])
    for title, *lines in blocks:
        name, meaning = title.split(": ", 1)
        at = next(n for n, line in enumerate(lines) if line.partition(":")[0] in VERDICTS)
        begin, _, agents = " ".join(lines[:at]).rpartition("} ")
        ours, question = " ".join(lines[at:]).split(": ", 1)
        ends, _, published = question.partition(" -- ")
        programs = (agent.split(": ", 1) for agent in agents.split(" || "))
        yield Shape(
            name, meaning, X | row(begin.lstrip("{")),
            {agent: tuple(program(does)) for agent, does in programs},
            tuple(map(row, ends.split(" | "))), ours, published,
        )  # fmt: skip


VERDICTS = ("allowed", "forbidden", "required", "optional")
SHAPES = {shape.name: shape for shape in shapes(TEXT)}
