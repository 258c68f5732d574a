"""Seeded defects of formats, groups, updates and the walk cache; the soak must notice. `killer` is
the shape of the random translations (tb/cases/shapes.py), `unit` the MMU that they run on."""

from campaigns.mutants.mutant import Mutant

WALKER = "rtl/src/granule/walk/Walker.scala"
DESCRIPTOR = "rtl/src/granule/walk/Descriptor.scala"
STEP = "rtl/src/granule/walk/Step.scala"
CONTEXT = "rtl/src/granule/walk/DecodedContext.scala"
GEOMETRY = "rtl/src/granule/walk/Geometry.scala"
SCOPE = "rtl/src/granule/tlb/InvalidateScope.scala"
WALK_CACHE = "rtl/src/granule/tlb/WalkCache.scala"
MICRO = "rtl/src/granule/tlb/MicroTlb.scala"
VMSA64 = "rtl/src/granule/format/Vmsa64.scala"
RISCV = "rtl/src/granule/format/RiscV.scala"
RV64 = "rtl/src/granule/format/RiscV64.scala"
D128 = "rtl/src/granule/format/D128.scala"


def soak(name, defect, file, old, new, *, shape, config="vmsa48") -> Mutant:
    return Mutant(name, defect, "ours", file, old, new, "soak", shape, unit=f"mmu:{config}")


FORMAT_MUTANTS = [
    soak(
        "group-mask",
        "a contiguous group of 16K pages is taken for twice its size",
        VMSA64,
        "14 -> Map(2 -> 5, 3 -> 7)",
        "14 -> Map(2 -> 5, 3 -> 8)",
        shape="16k",
    ),
    soak(
        "group-in-any-table",
        "the contiguous hint counts although the table above switches it off",
        DESCRIPTOR,
        "leaf.contiguous && !walk.noGroups && fits",
        "leaf.contiguous && fits",
        shape="4k-d128",
        config="wide_nocache",
    ),
    soak(
        "group-beyond-range",
        "a contiguous group may be wider than the address range",
        DESCRIPTOR,
        "!walk.noGroups && fits && placed",
        "!walk.noGroups && placed",
        shape="4k",
    ),
    soak(
        "update-before-permission",
        "the access flag is set for an access that is not permitted",
        WALKER,
        "if (checks) RegNext(step.allowed) else True",
        "if (checks) walk.request.translateOnly || True else True",
        shape="4k",
    ),
    soak(
        "lost-swap-ignored",
        "a compare-and-swap that lost counts as won",
        WALKER,
        "swapWon ? State.step | State.start",
        "State.step",
        shape="64k",
    ),
    soak(
        "dirty-by-reading",
        "a read marks a writable-clean page dirty",
        STEP,
        "val marksDirty = control.writes && descriptor.granted.writableClean",
        "val marksDirty = descriptor.granted.writableClean",
        shape="4k",
    ),
    soak(
        "clean-entry-writes",
        "a writable-clean TLB entry answers a store",
        MICRO,
        "!(protects && io.writes)",
        "!(protects && False)",
        shape="16k",
    ),
    soak(
        "no-swap-is-abort",
        "memory that cannot swap is reported as a bus error",
        WALKER,
        "when(!io.memory.rsp.error) { io.walk.fault.status := FaultStatus.unsupportedUpdate }",
        "",
        shape="4k",
    ),
    soak(
        "tables-survive-asid",
        "the walk cache keeps its tables when their ASID is invalidated",
        SCOPE,
        "tables.andMask(leavesOnly)",
        "tables.andMask(leavesOnly || byAsid)",
        shape="4k",
    ),
    soak(
        "tables-of-all-tasks",
        "the walk cache gives one task the tables of another",
        WALK_CACHE,
        "k.of.asid === io.tables.upcoming.payload",
        "True",
        shape="4k",
    ),
    soak(
        "place-of-another-level",
        "a walk begins at the table of a level above the one that was found",
        WALK_CACHE,
        "MuxOH.or(deepest, compared.place)",
        "MuxOH.or(deepest, compared.place.head +: compared.place.init)",
        shape="4k",
    ),
    soak(
        "tables-without-hierarchy",
        "a remembered table forgets what the tables above it took away",
        WALKER,
        "hierarchy := io.tables.pointer.hierarchy",
        "hierarchy := Hierarchy.none",
        shape="4k",
    ),
    soak(
        "lpa2-bits-swapped",
        "address bits 51 and 50 of an LPA2 descriptor change places",
        VMSA64,
        "BitField(8, 2) -> 50",
        "BitField(8) -> 51, BitField(9) -> 50",
        shape="4k",
        config="wide_nocache",
    ),
    soak(
        "lpa-bits-lost",
        "a 64K descriptor's bits 15:12 are no address",
        VMSA64,
        "address = AddressField(BitField(16, 32) -> 16, BitField(12, 4) -> 48)",
        "address = AddressField(BitField(16, 32) -> 16)",
        shape="64k",
        config="wide_nocache",
    ),
    soak(
        "skl-off-by-one",
        "a table below skipped levels is indexed with one level too few",
        GEOMETRY,
        "(0 to s.maxSkip).map(k => k -> size(k + 1))",
        "(0 to s.maxSkip).map(k => k -> size(k.max(1)))",
        shape="16k-d128",
        config="wide_nocache",
    ),
    soak(
        "skl-of-root-lost",
        "TTBR's skip level does not raise the start level",
        CONTEXT,
        "_.rootSkip.map(_.of(half.root).asUInt)",
        "_.rootSkip.map(_ => U(0, 2 bits))",
        shape="4k-d128",
        config="wide_nocache",
    ),
    soak(
        "skl-3-of-16k",
        "a 16K entry may skip three levels",
        D128,
        "maxSkip = if (g == 12) 3 else 2",
        "maxSkip = 3",
        shape="16k-d128",
        config="wide_nocache",
    ),
    soak(
        "sv32-misaligned",
        "a misaligned superpage is accepted",
        DESCRIPTOR,
        "aligned && leaf.kind.leaf && walk.output.insideLeaf",
        "False",
        shape="sv32",
        config="teaching",
    ),
    soak(
        "sv32-write-only",
        "an entry that may be written but not read is a leaf",
        DESCRIPTOR,
        "read.bool(word) || execute.bool(word) && !write.bool(word)",
        "read.bool(word) || execute.bool(word) || write.bool(word)",
        shape="sv32",
        config="teaching",
    ),
    soak(
        "rv64-group-is-hint",
        "N of Svnapot is a hint, and the page number is that of the page",
        RISCV,
        "groupInLeaf = napot.nonEmpty",
        "groupInLeaf = false",
        shape="svnapot",
        config="wide",
    ),
    soak(
        "rv64-group-unchecked",
        "N with a page number that is no group's is accepted",
        DESCRIPTOR,
        "leaf.misplaced setWhen !(placed && between.orR)",
        "",
        shape="svnapot",
        config="wide",
    ),
    soak(
        "rv64-table-of-groups",
        "a pointer with N is followed",
        RISCV,
        "Seq(user, access, dirty) ++ napot",
        "Seq(user, access, dirty)",
        shape="sv48",
        config="wide",
    ),
    soak(
        "rv64-memory-type",
        "PBMT of an entry is not looked at, although there is no Svpbmt",
        RV64,
        "BitField(54, 9)",
        "BitField(54, 7)",
        shape="sv39",
        config="wide",
    ),
    soak(
        "rv64-sign",
        "an address may differ from its sign above the topmost bit",
        RV64,
        "signExtended: Boolean = true",
        "signExtended: Boolean = false",
        shape="sv39",
        config="wide",
    ),
    soak(
        "sv32-same-space",
        "entries of Sv32 and of Arm's formats with one ASID are not told apart",
        CONTEXT,
        "B(formats.tlbIdentities.indexOf(s.tlbIdentity), formats.tlbIdentityBits bits)",
        "B(0, formats.tlbIdentityBits bits)",
        shape="mixed",
        config="teaching",
    ),
    Mutant(
        "rv64-same-space",
        "entries of Sv39 and Sv48 with one ASID are not told apart",
        "ours",
        RV64,
        "val registers: RootRegisters = RiscV.Root(Satp64.asid)",
        "val registers: RootRegisters = RiscV.Root(Satp64.asid)\n"
        "  override def tlbIdentity: TranslationSystem = Sv39",
        "unit.mmu.cocotb_mmu_formats",
        "every_change_of_format",
        unit="mmu:wide",
    ),
]
