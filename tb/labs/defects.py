"""The broken machines of lab 8: one simulator, whose option --defect chooses what is wrong in it.

A row says what in a file of the RTL becomes what. `main` writes the Verilog in which each of them
is a choice of the simulation.
"""

import sys
from collections import defaultdict, namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from labs import scala  # noqa: E402
from labs.choices import DEFECT, Place, with_choices  # noqa: E402
from support.root import ROOT  # noqa: E402

SOURCES = "rtl/src/granule"

# What a test would see: lab 8 says in its sheet what these mean.
SIGNS = ("no fault", "old translation", "wrong place", "wrong report", "needless walk")
NO_FAULT, OLD, PLACE, REPORT, WALK = SIGNS


# `places`: in each file, an expression of Scala that is there once, and what it becomes.
Defect = namedtuple("Defect", "what sign places")

SCOPE = "mmu/Invalidate.scala"
PERMISSIONS = "mmu/Permissions.scala"

DEFECTS: tuple[Defect, ...] = (
    Defect("what the last table takes away from all below it is not taken away", NO_FAULT,
           [("mmu/Walker.scala", "!walk.first && used && !walk.context.indirect",
            "!walk.first && used && !walk.context.indirect && walk.level =/= 2")]),
    Defect("hardware sets the access flag although TCR.HA is 0", NO_FAULT,
           [("mmu/Step.scala", "descriptor.accessFlag || context.setsAccessFlag", "True")]),
    Defect("a descriptor with type 01 counts as a page at level 3", NO_FAULT,
           [("mmu/Descriptor.scala", "level.blockAllowed", "True")]),
    Defect("the kernel may execute what user programs may write", NO_FAULT,
           [(PERMISSIONS, "scheme.pxn.bool(leaf) || above.pxn || p.el0Write",
            "scheme.pxn.bool(leaf) || above.pxn")]),
    Defect("user programs may write whatever they may read", NO_FAULT,
           [(PERMISSIONS, "!el1 && write", "False")]),
    Defect("user programs may execute what UXN forbids", NO_FAULT,
           [(PERMISSIONS, "scheme.uxn.bool(leaf) || above.uxn", "above.uxn")]),
    Defect("permissions are not checked for what is in the TLB already", NO_FAULT,
           [("mmu/TranslateUnit.scala", "!found.check.allowed(found.mapping.permissions)",
            "(!found.check.allowed(found.mapping.permissions) && RegNext(io.leaf.valid, False))")]),
    Defect("an invalidation by address keeps global pages if its ASID is another", OLD,
           [(SCOPE, "anyAsid || entry.global || sameAsid(entry)", "anyAsid || sameAsid(entry)")]),
    Defect("an invalidation for all ASIDs acts on one", OLD,
           [(SCOPE, "command.anyAsid", "False")]),
    Defect("the first page of a range stays", OLD,
           [(SCOPE, "!(page < rounded)", "Mux(byRange, page > rounded, !(page < rounded))")]),
    Defect("one entry of each TLB is never invalidated", OLD,
           [("mmu/MicroTlb.scala", "goes(i)", "goes(i) && Bool(i != 5)")]),
    Defect("a block goes only by its first address", OLD,
           [(SCOPE, "(first.asBits & ~inside.resize(first.getWidth)).asSInt", "first")]),
    Defect("an invalidation by address keeps what is known of tables", OLD,
           [(SCOPE, "tables.andMask(leavesOnly)", "tables.andMask(leavesOnly || byVa)")]),
    Defect("bits 21:20 of the physical address are lost", PLACE,
           [("mmu/Descriptor.scala", "output(config.paWidth - 1 downto formats.pageShift)",
            "(output & ~B(3 << 20, formats.addressBits bits))"
            "(config.paWidth - 1 downto formats.pageShift)")]),
    Defect("address spaces whose ASIDs differ in bits 15:8 share their pages", PLACE,
           [("mmu/Translation.scala", "of.asid === asid",
             "of.asid(7 downto 0) === asid(7 downto 0)")]),
    Defect("a fault of a walk tells the level above", REPORT,
           [("mmu/Step.scala", "fault.at(walk.level, formats)",
            "fault.at(walk.level - 1, formats)")]),
    Defect("a fault of a write is told as that of a read", REPORT,
           [("ip/FaultRecord.scala", "report.wnr && !report.execute", "False")]),
    Defect("an invalidation by ASID takes global pages too", WALK,
           [(SCOPE, "!entry.global && sameAsid(entry)", "sameAsid(entry)"),
            ("mmu/SweptEntry.scala", "byAsid && !key.global", "byAsid")]),
    Defect("a range takes the page behind its last one too", WALK,
           [(SCOPE, "page < end", "page <= end")]),
)  # fmt: skip


def main(verilog: Path) -> None:
    work = verilog.parent / "mutants"
    work.mkdir(parents=True, exist_ok=True)
    places: dict[str, list[tuple[int, Place]]] = defaultdict(list)
    for number, defect in enumerate(DEFECTS, 1):
        for file, right, wrong in defect.places:
            places[file].append((number, Place(right, wrong)))
    sources = [DEFECT]
    for file, found in places.items():
        sources.append(work / Path(file).name)
        sources[-1].write_text(with_choices((ROOT / SOURCES / file).read_text(), found))
    scala.compiled(sources, work / "classes")
    text = scala.generated(work / "classes", "simsoc:teaching", work).read_text()
    verilog.write_text(f"// defects: {len(DEFECTS)}\n{text}")  # tb/sim/build.sh reads it


if __name__ == "__main__":
    main(Path(sys.argv[1]))
