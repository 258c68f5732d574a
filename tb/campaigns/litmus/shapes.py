"""The litmus shapes: agents, what memory holds at first, what each agent does, and the question.

A name without "(ours)" is that of the literature, where the shape is the same; `published` is the
verdict there, and from whom:
  S   Simner et al., Relaxed virtual memory in Armv8-A: their models
  W   the same group's runs on hardware (system-litmus-harness)
  H   the catalogue aarch64-VMSA of herdtools7, with FEAT_ETS2
An agent is a CPU whose accesses are translated by the MMU under test. Its steps are in order. The
agent `dma` has physical addresses.
"""

from dataclasses import dataclass

from campaigns.litmus.steps import (
    DSB,
    INVALID,
    TLBI,
    Access,
    Await,
    Clear,
    Flush,
    Load,
    Pte,
    Step,
    Store,
    Swap,
    Table,
    Value,
)  # fmt: skip

FAULT2, FAULT3, DENIED, OK = "fault level 2", "fault level 3", "permission", "ok"
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
    published: str = ""  # "forbidden (S)"
    always: bool = False


A, B = Pte("a"), Pte("b")
CLEAN = Pte("a", db=0, dbm=1)
DIRTY = Pte("a", dbm=1)
UNUSED = Pte("a", af=0)
# Page x is in a, whose word is 0; b holds 1.
X = {"pmd_x": Table("pte_x"), "pte_x": A, "a": 0, "b": 1}
BREAK = (Store("pte_x", INVALID), DSB, TLBI, DSB)


def x(pte: Value, **cells: Value) -> dict[str, Value]:
    return {**X, "pte_x": pte, **cells}


def any_flags(oa: str, **fields: int) -> list[Pte]:
    """Every valid descriptor of the page with these fields."""
    every = (Pte(oa, 1, af, db, dbm) for af in (0, 1) for db in (0, 1) for dbm in (0, 1))
    return [p for p in every if all(getattr(p, k) == v for k, v in fields.items())]


BREAK_BEFORE_MAKE = [
    Shape(
        "CoWinvT+dsb-isb", "a page is unmapped and not invalidated: it may be used for ever",
        X, {"P0": (Store("pte_x", INVALID), DSB, Access("r2"))},
        ({"r2": 0},), "allowed", "seen (W)",
    ),
    Shape(
        "CoWinvT1+dsb-tlbi-dsb", "it is invalidated too, and asked for by the same CPU",
        X, {"P0": (*BREAK, Access("r2"))},
        ({"r2": 0},), "forbidden", "not seen (W)",
    ),
    Shape(
        "CoWT.inv", "a page is mapped; the store may still wait when the walk reads",
        x(INVALID), {"P0": (Store("pte_x", A), Access("r2"))},
        ({"r2": FAULT3},), "allowed", "seen (W)",
    ),
    Shape(
        "CoWT.inv+dsb-isb", "no fault is kept: a page that is mapped needs no invalidation",
        x(INVALID), {"P0": (Store("pte_x", A), DSB, Access("r2"))},
        ({"r2": FAULT3},), "forbidden", "not seen (W)",
    ),
    Shape(
        "BBM+dsb-tlbiis-dsb", "another CPU reads while a page moves: it may be early",
        X, {"P0": (*BREAK, Store("pte_x", B)), "P1": (Access("r0"),)},
        ({"r0": 0},), "allowed", "allowed (S)",
    ),
    Shape(
        "RBS+dsb-tlbiis-dsb", "a page is given to somebody else after it was invalidated",
        X, {"P0": (*BREAK, Store("a", 2)), "P1": (Access("r0"),)},
        ({"r0": 2},), "forbidden", "forbidden (S)",
    ),
    Shape(
        "RBS+dsb (ours)", "the same without the invalidation",
        X, {"P0": (Store("pte_x", INVALID), DSB, Store("a", 2)), "P1": (Access("r0"),)},
        ({"r0": 2},), "allowed",
    ),
    Shape(
        "RBS+dsb-tlbiis (ours)", "the same, and nobody waits for its end",
        X, {"P0": (Store("pte_x", INVALID), DSB, TLBI, Store("a", 2)), "P1": (Access("r0"),)},
        ({"r0": 2},), "allowed",
    ),
    Shape(
        "RBS+dsb-tlbiall-dsb (ours)", "everything is invalidated instead of the page",
        X,
        {"P0": (Store("pte_x", INVALID), DSB, Flush(all=True), DSB, Store("a", 2)),
         "P1": (Access("r0"),)},
        ({"r0": 2},), "forbidden",
    ),
    Shape(
        "RBS.write+dsb-tlbiis-dsb (ours)", "a write with an old translation destroys a new word",
        X,
        {"P0": (*BREAK, Store("a", 2), DSB, Load("a", "r1")), "P1": (Access("r0", write=7),)},
        ({"r1": 7}, {"a": 7}), "forbidden",
    ),
    Shape(
        "RBS.dma+dsb-tlbiis-dsb (ours)", "the page is given to a device, which fills it",
        {**X, "flag": 0},
        {"P0": (*BREAK, Store("flag", 1)), "P1": (Access("r0"),),
         "dma": (Await("flag", 1), Store("a", 2))},
        ({"r0": 2},), "forbidden",
    ),
    Shape(
        "MP.RT.EL1+dsb-tlbiis-dsb+dsb-isb", "who was told of the end does not use the page",
        {**X, "flag": 0},
        {"P0": (*BREAK, Store("flag", 1)), "P1": (Load("flag", "r0"), DSB, Access("r2"))},
        ({"r0": 1, "r2": 0},), "forbidden", "forbidden (S)",
    ),
    Shape(
        "MP.RT+dsb+dsb-isb (ours)", "the same without the invalidation",
        {**X, "flag": 0},
        {"P0": (Store("pte_x", INVALID), DSB, Store("flag", 1)),
         "P1": (Load("flag", "r0"), DSB, Access("r2"))},
        ({"r0": 1, "r2": 0},), "allowed",
    ),
    Shape(
        "coRR-pte4", "a page moves without a break: new, then old",
        X, {"P0": (Access("r2"), DSB, Access("r4")), "P1": (Store("pte_x", B),)},
        ({"r2": 1, "r4": 0},), "allowed", "allowed (H)",
    ),
    Shape(
        "coRR-pte6", "the reader invalidates between its reads",
        X, {"P0": (Access("r2"), DSB, TLBI, DSB, Access("r4")), "P1": (Store("pte_x", B),)},
        ({"r2": 1, "r4": 0},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "coRR-pte7", "a page moves with a break: new, then the break",
        X, {"P0": (Access("r2"), Access("r4")), "P1": (*BREAK, Store("pte_x", B))},
        ({"r2": 1, "r4": FAULT3},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "coRR-pte8-dsb", "a page is mapped: seen, then not",
        x(INVALID), {"P0": (Access("r2"), DSB, Access("r4")), "P1": (Store("pte_x", A),)},
        ({"r2": 0, "r4": FAULT3},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "coRR-pte9", "a page moves with a break: new, then old",
        X, {"P0": (Access("r2"), Access("r4")), "P1": (*BREAK, Store("pte_x", B))},
        ({"r2": 1, "r4": 0},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "coRR-pte9-nobbm", "the new entry stands there before the old one is invalidated",
        X, {"P0": (Access("r2"), Access("r4")), "P1": (Store("pte_x", B), DSB, TLBI, DSB)},
        ({"r2": 1, "r4": 0},), "allowed", "allowed (H)",
    ),
]  # fmt: skip

# The table of page x is replaced by one that holds pte_2.
TWO = {**X, "pte_2": B}
BREAK_TABLE = (Store("pmd_x", INVALID), DSB, TLBI, DSB)
TABLES = [
    Shape(
        "ROT.inv+dsb", "a table is filled, then hooked in: it is never seen empty",
        {**X, "pmd_x": INVALID, "pte_x": INVALID},
        {"P0": (Store("pte_x", A), DSB, Store("pmd_x", Table("pte_x"))), "P1": (Access("r0"),)},
        ({"r0": FAULT3},), "forbidden", "forbidden (S)",
    ),
    Shape(
        "RBS.table+dsb-tlbiis-dsb (ours)", "a table is unhooked, invalidated, and used again",
        X, {"P0": (*BREAK_TABLE, Store("pte_x", B)), "P1": (Access("r0"),)},
        ({"r0": 1},), "forbidden",
    ),
    Shape(
        "RBS.table+dsb-tlbiis.last-dsb (ours)", "only last levels are invalidated: tables stay",
        X,
        {"P0": (Store("pmd_x", INVALID), DSB, Flush(last=True), DSB, Store("pte_x", B)),
         "P1": (Access("r0"),)},
        ({"r0": 1},), "allowed",
    ),
    Shape(
        "BBM.table+dsb-tlbiis-dsb (ours)", "one table takes the place of another: old after new",
        TWO,
        {"P0": (*BREAK_TABLE, Store("pmd_x", Table("pte_2"))), "P1": (Access("r0"), Access("r2"))},
        ({"r0": 1, "r2": 0}, {"r0": 1, "r2": FAULT2}), "forbidden",
    ),
    Shape(
        "AF.table+dsb-tlbiis-dsb (ours)", "a table that is in use no more is updated",
        {**TWO, "pte_x": UNUSED},
        {"P0": (Store("pmd_x", Table("pte_2")), DSB, TLBI, DSB, Load("pte_x", "r1")),
         "P1": (Access("r0"),)},
        ({"r1": UNUSED, "pte_x": A},), "forbidden",
    ),
    Shape(
        "AF.table+dsb-tlbiis (ours)", "the same, and nobody waits for the invalidation",
        {**TWO, "pte_x": UNUSED},
        {"P0": (Store("pmd_x", Table("pte_2")), DSB, TLBI, Load("pte_x", "r1")),
         "P1": (Access("r0"),)},
        ({"r1": UNUSED, "pte_x": A},), "allowed",
    ),
]  # fmt: skip

UPDATES = [
    Shape(
        "STR-AF", "a write to a page without access flag sets it",
        x(UNUSED), {"P0": (Access("r0", write=1),)},
        ({"a": 1, "pte_x": A, "r0": OK},), "required", "required (H)", always=True,
    ),
    Shape(
        "STR-DB", "a write to a page that is clean makes it dirty",
        x(CLEAN), {"P0": (Access("r0", write=1),)},
        ({"a": 1, "pte_x": DIRTY, "r0": OK},), "required", "required (H)", always=True,
    ),
    Shape(
        "STRx-LDRptex", "access flag and dirty state are set in one step",
        x(Pte("a", af=0, db=0, dbm=1)),
        {"P0": (Access("r0", write=1),), "P1": (Load("pte_x", "r3"),)},
        ({"pte_x": Pte("a", af=0, dbm=1)}, {"pte_x": CLEAN}), "forbidden", "forbidden (H)",
    ),
    Shape(
        "STRx-LDRptex4", "dirty, and never used: nobody sees it",
        x(Pte("a", af=0, db=0, dbm=1)),
        {"P0": (Access("r0", write=1),), "P1": (Load("pte_x", "r3"),)},
        ({"r3": Pte("a", af=0, dbm=1)},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "STRx+STCLRptex+af", "unmapped beside the first use: flag and access go together",
        x(UNUSED), {"P0": (Access("r0", write=1),), "P1": (Clear("pte_x"),)},
        ({"r0": FAULT3, "pte_x": Pte("a", 0, 0), "a": 0},
         {"r0": OK, "pte_x": Pte("a", 0, 1), "a": 1}),
        "required", "optional (H)", always=True,
    ),
    Shape(
        "STRx+STCLRptex+db", "marked dirty, and the write is not done",
        x(CLEAN), {"P0": (Access("r0", write=1),), "P1": (Clear("pte_x"),)},
        ({"pte_x": Pte("a", 0, dbm=1), "a": 0, "r0": FAULT3},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "STRx+SWPptex1", "swapped out while it is clean: the write faults",
        x(CLEAN),
        {"P0": (Access("r0", write=1),), "P1": (Swap("pte_x", Pte("a", 0), "r4"),)},
        ({"r4": CLEAN, "pte_x": Pte("a", 0), "r0": FAULT3},), "allowed", "allowed (H)",
    ),
    Shape(
        "STRx+SWPptex+db", "swapped out while it is dirty: the write was done",
        x(CLEAN),
        {"P0": (Access("r0", write=1),),
         "P1": (Swap("pte_x", Pte("a", 0, db=0, dbm=1), "r8"),)},
        ({"r8": DIRTY, "a": 0, "r0": FAULT3},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "STRx+SWPptex-lost (ours)", "swapped out while it is clean, and written all the same",
        x(CLEAN),
        {"P0": (Access("r0", write=1),),
         "P1": (Swap("pte_x", Pte("a", 0, db=0, dbm=1), "r8"),)},
        ({"r8": CLEAN, "a": 1},), "forbidden",
    ),
    Shape(
        "STRx+2SWPptex+db", "cleaned twice: one write does not make it dirty twice",
        x(CLEAN),
        {"P0": (Access("r2", write=1),),
         "P1": (Swap("pte_x", CLEAN, "r0"), Swap("pte_x", CLEAN, "r1"))},
        ({"r0": DIRTY, "r1": DIRTY, "r2": OK, "a": 1},
         {"r0": DIRTY, "pte_x": DIRTY, "r2": OK, "a": 1}), "forbidden", "forbidden (H)",
    ),
    Shape(
        "STRx+STRptex+oa.af (ours)", "a flag is set over a newer store",
        x(UNUSED),
        {"P0": (Access("r0", write=1),), "P1": (Store("pte_x", Pte("b", af=0)),)},
        tuple({"pte_x": p} for p in any_flags("a")), "forbidden",
    ),
    Shape(
        "STR-TLBI", "a page moves after its write: the new entry stays as it is",
        x(CLEAN, b=0),
        {"P0": (Access("r0", write=1), DSB, TLBI, DSB, Store("pte_x", Pte("b", dbm=1)))},
        ({"a": 1, "pte_x": DIRTY},), "forbidden", "forbidden (H)",
    ),
    Shape(
        "copy+swp-dsb-tlbiis-dsb (ours)", "written back while somebody writes: nothing is lost",
        x(DIRTY),
        {"P0": (Swap("pte_x", CLEAN, "r8"), DSB, TLBI, DSB, Load("a", "r1")),
         "P1": (Access("r0", write=1),)},
        ({"r1": 0, "a": 1, "pte_x": CLEAN},), "forbidden",
    ),
    Shape(
        "copy+swp (ours)", "the same without the invalidation",
        x(DIRTY),
        {"P0": (Swap("pte_x", CLEAN, "r8"), DSB, Load("a", "r1")),
         "P1": (Access("r0", write=1),)},
        ({"r1": 0, "a": 1, "pte_x": CLEAN},), "allowed",
    ),
]  # fmt: skip

SHAPES = {s.name: s for s in [*BREAK_BEFORE_MAKE, *TABLES, *UPDATES]}
