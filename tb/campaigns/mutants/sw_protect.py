"""Seeded defects of mprotect in sw/mm. Killed on the host."""

from campaigns.mutants.sw_areas import row

SW_PROTECT_MUTANTS = [
    row(
        "protect-flush",
        "old permissions stay in the TLB",
        "mprotect.c",
        "tlb_flush_pte_range(tlb, start, next);",
        "(void)tlb;",
    ),
    row(
        "protect-cow",
        "write permission is given to a page that two share",
        "mprotect.c",
        "if (!(flags & VM_WRITE)) pte = pte_wrprotect(pte);",
        "pte = flags & VM_WRITE ? pte & ~PTE_RDONLY : pte_wrprotect(pte);",
    ),
    row(
        "protect-write",
        "a written page stays writable",
        "mprotect.c",
        "pte = pte_wrprotect(pte);",
        "",
    ),
    row(
        "protect-execute",
        "code stays where no execution is permitted",
        "mprotect.c",
        "pte | PTE_UXN;",
        "pte;",
    ),
    row(
        "protect-dirty",
        "an entry whose permissions change loses its dirty bit",
        "mprotect.c",
        "set_pte(slot, pte);",
        "set_pte(slot, pte & ~PTE_DIRTY);",
        killer="test_mprotect",
    ),
    row(
        "protect-block",
        "a block keeps its old permissions",
        "mprotect.c",
        "zap_huge_pmd(tlb, start);",
        "",
        killer="test_mprotect",
    ),
    row(
        "protect-hole",
        "a hole in the range is passed over",
        "mmap.c",
        "has_hole(mm, start, end) ||",
        "",
    ),
    row(
        "protect-room",
        "two parts are split off with one slot",
        "mmap.c",
        "return unused >= needed;",
        "return unused >= MIN(needed, 1u);",
    ),
    row(
        "protect-pgoff",
        "the part of an area that is split off shows other pages of the file",
        "mmap.c",
        "move_start(upper, at);",
        "upper->start = at;",
        killer="test_mprotect",
    ),
    row(
        "protect-flags",
        "an area of a file is no longer shared",
        "mmap.c",
        "v->flags = (v->flags & ~VM_ACCESS) | flags;",
        "v->flags = flags;",
        killer="test_mprotect",
    ),
]
