"""Seeded defects of physical memory protection: registers, comparators, and who is asked."""

from campaigns.mutants.mutant import Mutant

REGISTERS = "rtl/src/granule/cpu/PmpRegisters.scala"
CSR = "rtl/src/granule/cpu/Csr.scala"
CHECK = "rtl/src/granule/walk/PmpCheck.scala"
PROTECTION = "rtl/src/granule/walk/WalkProtection.scala"
WALKER = "rtl/src/granule/walk/Walker.scala"
DESCRIPTOR = "rtl/src/granule/walk/Descriptor.scala"
TLB = "rtl/src/granule/tlb/MicroTlb.scala"
UNIT = "rtl/src/granule/mmu/TranslateUnit.scala"
DIRECT = "rtl/src/granule/mmu/DirectAccess.scala"


def register(name, defect, old, new, *, killer, file=REGISTERS) -> Mutant:
    return Mutant(
        f"pmp-{name}", defect, "ours", file, old, new, "unit.cpu.cocotb_pmp_registers", killer,
        unit="cpubench:teaching", part="Csr",
    )  # fmt: skip


def check(name, defect, old, new) -> Mutant:
    return Mutant(
        f"pmp-{name}", defect, "ours", CHECK, old, new, "unit.walk.cocotb_pmp_check",
        "random_entries", unit="pmpcheck:teaching",
    )  # fmt: skip


def mmu(name, defect, file, old, new, *, killer, module="pmp") -> Mutant:
    return Mutant(
        f"pmp-{name}", defect, "ours", file, old, new, f"unit.mmu.cocotb_mmu_{module}", killer,
        unit="mmu:teaching",
    )  # fmt: skip


PMP_MUTANTS = [
    register(
        "mask-of-na4",
        "the mask of a NAPOT address counts for NA4 too",
        "entry.mask.andMask(entry.kind(0))",
        "entry.mask",
        killer="random_writes",
    ),
    register(
        "lock-ignored",
        "the configuration of a locked entry can be written",
        "def configure(byte: Bits): Unit = when(!locked)",
        "def configure(byte: Bits): Unit = when(True)",
        killer="only_a_reset_unlocks",
    ),
    register(
        "locked-tor-begins",
        "the address that a locked TOR entry begins at can be written",
        "!entry.locked && !above.getOrElse(False)",
        "!entry.locked",
        killer="only_a_reset_unlocks",
    ),
    register(
        "off-binds",
        "a locked entry that is off binds M-mode",
        "(PmpConfig.locked.bool(byte) && PmpConfig.kind.of(byte).orR)",
        "PmpConfig.locked.bool(byte)",
        killer="random_writes",
    ),
    register(
        "write-alone",
        "an entry may permit writes without reads",
        "PmpConfig.write.bool(byte) && PmpConfig.read.bool(byte)",
        "PmpConfig.write.bool(byte)",
        killer="random_writes",
    ),
    register(
        "fetched-before",
        "what was fetched before the registers were written is executed behind that",
        "if (pmpEntries > 0) io.refetches setWhen protection.pmp.changes",
        "",
        killer="what_follows_a_write_is_fetched_again",
        file=CSR,
    ),
    Mutant(
        "pmp-mprv-ignored",
        "MPRV does not lend M-mode the lower mode",
        "ours",
        CSR,
        "Mux(isMachine && status.mprv, status.mpp, mode)",
        "mode",
        "unit.cpu.cocotb_directed",
        "data_privilege",
        unit="cpubench:teaching",
    ),
    check(
        "tor-from-zero",
        "a TOR region begins at zero",
        "here.tor && !here.reaches && below.map(_.from).getOrElse(True)",
        "here.tor && !here.reaches",
    ),
    check(
        "tor-and-its-end",
        "a TOR region has the word that it ends at",
        "RegNext(first >= now.address)",
        "RegNext(first > now.address)",
    ),
    check(
        "last-entry-wins",
        "the last entry decides and not the first",
        "PriorityMux(found.map(_.some) :+ True, here :+ io.machine)",
        "PriorityMux(found.map(_.some).reverse :+ True, here.reverse :+ io.machine)",
    ),
    check(
        "part-of-a-piece",
        "an entry that has a part of the piece permits all of it",
        "found.all && (allows",
        "(allows",
    ),
    check(
        "m-mode-unbound",
        "locked entries do not bind M-mode",
        "allows(compared.gives) || io.machine && !compared.locked",
        "allows(compared.gives) || io.machine",
    ),
    check(
        "needs-ignored",
        "what may be read suffices for whoever needs more",
        "decided(_.suffice(io.needs))",
        "decided(_.read)",
    ),
    mmu(
        "walk-unchecked",
        "descriptors are read without a right",
        WALKER,
        "when(answered) { walk.readError setWhen !protection.mayRead }",
        "",
        killer="descriptors_at_each_level",
    ),
    mmu(
        "update-unchecked",
        "descriptors are updated without a right",
        WALKER,
        "&& protection.mayUpdate",
        "",
        killer="an_update_needs_the_right_to_store",
    ),
    mmu(
        "right-of-the-last-read",
        "an answer that comes in the next cycle is judged by the right of the read before",
        PROTECTION,
        "val early = reading && !known && rsp.valid",
        "val early = False",
        killer="descriptors_at_each_level",
    ),
    mmu(
        "early-kind",
        "of an answer that is kept, what it is is not",
        WALKER,
        "walk.kind := walk.kind",
        "",
        killer="descriptors_at_each_level",
    ),
    mmu(
        "entry-not-open",
        "an entry of a page that is not open stays in the TLB",
        TLB,
        "!io.install.once",
        "True",
        killer="a_page_that_is_not_open_is_checked_at_every_access",
    ),
    mmu(
        "open-if-readable",
        "a page that may be read counts as open",
        PROTECTION,
        'needs.assignFromBits(B"111")',
        'needs.assignFromBits(B"001")',
        killer="a_page_that_is_not_open_is_checked_at_every_access",
    ),
    mmu(
        "block-not-open",
        "a block is kept whole if one of its pages is open",
        DESCRIPTOR,
        "when(walk.byPage) { leaf.cachedSpan := formats.spans.code(formats.pageShift)",
        "when(walk.byPage) {",
        killer="a_block_is_kept_page_by_page",
    ),
    mmu(
        "protection-first",
        "protection is told before the page fault of the same access",
        PROTECTION,
        "walk.request.translateOnly || walk.byWord && !pageAllows",
        "walk.request.translateOnly",
        killer="the_page_fault_comes_first",
    ),
    mmu(
        "direct-unchecked",
        "accesses without translation are not checked",
        UNIT,
        "(translate ? (forbidden || hit) | protection.passes)",
        "(translate ? (forbidden || hit) | True)",
        killer="without_translation",
        module="pmp_direct",
    ),
    mmu(
        "direct-remembered",
        "what was open without translation is so after the entries changed",
        DIRECT,
        "known clearWhen io.pmpChanges",
        "",
        killer="without_translation",
        module="pmp_direct",
    ),
    mmu(
        "direct-of-m-mode",
        "what M-mode may do without translation is remembered for S-mode",
        DIRECT,
        "&& (!machine || io.machine)",
        "",
        killer="without_translation",
        module="pmp_direct",
    ),
    mmu(
        "direct-of-a-page",
        "the 4 MiB around a page that is open are remembered as open",
        DIRECT,
        "(!byPage || page === pageOf(compared))",
        "True",
        killer="without_translation",
        module="pmp_direct",
    ),
]
