"""Defects that show when a register changes while an access waits."""

from campaigns.mutants.mutant import Mutant

CHANGES = "changes"
MMU = "rtl/src/granule/mmu"

CHANGING = [
    Mutant(
        "learns-across-a-change",
        "an access is remembered to be open though the entries changed while it was asked",
        "ours",
        f"{MMU}/DirectAccess.scala",
        "&& !stale && !io.pmpChanges",
        "&& !io.pmpChanges",
        CHANGES,
        "closes 24",
        unit="mmu:teaching",
    ),
    Mutant(
        "entries-of-two-cycles",
        "an entry is compared as it was before a write, and gives the rights that it has after it",
        "ours",
        "rtl/src/granule/walk/PmpCheck.scala",
        "val tor = RegNext(now.tor) val aligned = RegNext(now.aligned) "
        "val locked = RegNext(now.locked) val gives = RegNext(PmpRights.of(now))",
        "val tor = now.tor; val aligned = now.aligned; val locked = now.locked; "
        "val gives = PmpRights.of(now)",
        CHANGES,
        "reshapes",
        unit="mmu:teaching",
    ),
    Mutant(
        "place-of-the-last-granule",
        "the main TLB reads the set that the granule of before chose, and answers from it",
        "ours",
        "rtl/src/granule/tlb/MainTlb.scala",
        "LevelledAnd.equal(placedBy, io.granule) ++",
        "",
        CHANGES,
        "vmsa 14 12",
        unit="mmu:vmsa48_main",
    ),
    Mutant(
        "command-that-changes",
        "whether translation is on changes the command that waits",
        "ours",
        f"{MMU}/MmuIp.scala",
        "mmu.io.fetch <> io.fetch",
        "mmu.io.fetch <> io.fetch; mmu.io.fetch.cmd.untranslated.allowOverride(); "
        "mmu.io.fetch.cmd.untranslated := io.fetch.cmd.untranslated || "
        "!registers.io.context.sctlr(0) && !registers.io.context.satp(31)",
        CHANGES,
        "vmsa 12 14",
        unit="mmuip:teaching",
    ),
    Mutant(
        "par-of-a-fault",
        "AT that faults under descriptors of 128 bits says so in the form of 64",
        "ours",
        f"{MMU}/AddressTranslate.scala",
        ".resized Par.d128.set(par, is128)",
        ".resized",
        CHANGES,
        "d128",
        unit="mmu:wide",
    ),
    Mutant(
        "at-decides-early",
        "AT decides that it must walk before its walk is accepted",
        "ours",
        f"{MMU}/AddressTranslate.scala",
        "private val walks = !flat.active && !forbidden",
        "private val walks = RegNext(!flat.active && !forbidden)",
        CHANGES,
        "sv32 off",
        unit="mmu:teaching",
    ),
]
