"""Seeded defects of physical memory protection: registers, comparators, and who is asked."""

from campaigns.mutants.mutant import Mutant

REGISTERS = "rtl/src/granule/cpu/PmpRegisters.scala"
CSR = "rtl/src/granule/cpu/Csr.scala"
CHECK = "rtl/src/granule/walk/PmpCheck.scala"
PROTECTION = "rtl/src/granule/walk/WalkProtection.scala"
WALKER = "rtl/src/granule/walk/Walker.scala"
TLB = "rtl/src/granule/tlb/MicroTlb.scala"
UNIT = "rtl/src/granule/mmu/TranslateUnit.scala"


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


def mmu(name, defect, file, old, new, *, killer) -> Mutant:
    return Mutant(
        f"pmp-{name}", defect, "ours", file, old, new, "unit.mmu.cocotb_mmu_pmp", killer,
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
        "last-entry-wins",
        "the last entry decides and not the first",
        "PriorityMux(chosen.map(_.some) :+ True, here :+ io.machine)",
        "PriorityMux(chosen.map(_.some).reverse :+ True, here.reverse :+ io.machine)",
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
        "right-of-the-last-read",
        "an answer that comes in the next cycle is judged by the right of the read before",
        PROTECTION,
        "val early = reading && !known && rsp.valid",
        "val early = False",
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
        "direct-unchecked",
        "accesses without translation are not checked",
        UNIT,
        "(translate ? (forbidden || found.hit) | protection.passes)",
        "(translate ? (forbidden || found.hit) | True)",
        killer="without_translation",
    ),
]
