"""Seeded defects of sw/mm: areas, page tables, fork, munmap, mremap. Killed on the host."""

from campaigns.mutants.mutant import Mutant

FUZZ = "fuzz_mm"


def row(name: str, defect: str, file: str, old: str, new: str, *, killer: str = FUZZ) -> Mutant:
    """Ours: seen in no published code, but of the kind that kernels have had."""
    return Mutant(f"sw-{name}", defect, "ours", f"sw/mm/{file}", old, new, "host", killer)


FAULT = [
    row(
        "cow-reuse",
        "a page that two share is written in place",
        "fault.c",
        "old_page->refcount == 1",
        "old_page->refcount <= 2",
    ),
    row(
        "cow-reuse-flush",
        "a page taken over stays read-only in the TLB",
        "fault.c",
        "ptep_set_access_flags(mm, address, slot, pte_paddr(old) | page_prot(v));",
        "set_pte(slot, pte_paddr(old) | page_prot(v));",
    ),
    row(
        "cow-put",
        "the page that was copied keeps a reference",
        "fault.c",
        "--*mm_counter(mm, old_page); put_page(old_page);",
        "--*mm_counter(mm, old_page);",
    ),
    row(
        "cow-flush",
        "the entry of the page that was copied stays in the TLB",
        "fault.c",
        "ptep_clear_flush(mm, address, slot);",
        "ptep_get_and_clear(slot);",
    ),
    row(
        "cow-zero-rss",
        "a page in place of a zero page is not counted",
        "fault.c",
        "mm->anon_rss++; if (old_page) {",
        "if (old_page) {",
    ),
    row(
        "zero-written",
        "a zero page is mapped writable",
        "fault.c",
        "u64 prot = v->flags & VM_EXEC ? PROT_USER_RX : PROT_USER_RO;",
        "u64 prot = PROT_USER;",
    ),
    row(
        "zero-colour",
        "every address gets the first zero page",
        "fault.c",
        "pfn_pte(my_zero_pfn(address), prot | PTE_SPECIAL)",
        "pfn_pte(zero_pfn, prot | PTE_SPECIAL)",
    ),
    row(
        "fresh-rubbish",
        "a new page is not zeroed",
        "fault.c",
        "clear_user_highpage(page); set_pte(slot",
        "set_pte(slot",
    ),
    row(
        "cow-zero-rubbish",
        "a page of its own that follows the zero page is not zeroed",
        "fault.c",
        "clear_user_highpage(page); fault_stats.cow_zero++;",
        "fault_stats.cow_zero++;",
    ),
    row(
        "permission",
        "any access to an area is permitted",
        "fault.c",
        "return v->flags & need;",
        "return v->flags | need;",
    ),
    row(
        "fault-kmap",
        "a failed fault keeps its kmap slot",
        "fault.c",
        "pte_unmap(slot); return error;",
        "if (!error) pte_unmap(slot); return error;",
    ),
]

FORK = [
    row(
        "fork-parent",
        "fork leaves the parent's entries writable",
        "fork.c",
        "ptep_set_wrprotect(from);",
        "",
    ),
    row(
        "fork-child",
        "fork gives the child writable entries",
        "fork.c",
        "pte = pte_wrprotect(pte);",
        "",
    ),
    row("fork-get", "fork takes no reference", "fork.c", "get_page(page);", ""),
    row(
        "fork-rss",
        "the child's pages are not counted",
        "fork.c",
        "++*mm_counter(child, page);",
        "",
    ),
    row(
        "fork-flush",
        "the parent's writable entries stay in the TLB",
        "fork.c",
        "flush_tlb_mm(parent);",
        "(void)parent;",
    ),
    row(
        "fork-flush-child",
        "fork invalidates the child's ASID",
        "fork.c",
        "flush_tlb_mm(parent);",
        "flush_tlb_mm(child);",
    ),
    row(
        "fork-flush-enomem",
        "fork out of memory invalidates nothing",
        "fork.c",
        "if (protected)",
        "if (protected && !error)",
    ),
    row(
        "fork-last",
        "fork leaves the last page of a table out",
        "fork.c",
        "start != end;",
        "start + PAGE_SIZE != end;",
    ),
    row(
        "fork-kmap",
        "fork out of memory keeps a kmap slot",
        "fork.c",
        "pte_unmap(from_base); return",
        "if (to_base) pte_unmap(from_base); return",
    ),
]

UNMAP = [
    row(
        "zap-neighbour",
        "munmap takes the page behind the range too",
        "unmap.c",
        "at != stop;",
        "at <= stop;",
    ),
    row(
        "zap-last",
        "munmap leaves the last page",
        "unmap.c",
        "at != stop;",
        "at + PAGE_SIZE != stop;",
    ),
    row(
        "zap-rss",
        "munmap forgets the count of pages",
        "unmap.c",
        "--*mm_counter(tlb->mm, page);",
        "",
    ),
    row(
        "zap-put",
        "munmap keeps the reference to a shared page",
        "unmap.c",
        "if (page->refcount > 1) put_page(page);",
        "if (page->refcount > 1) {}",
    ),
    row(
        "zap-early",
        "a page is freed before its invalidation",
        "unmap.c",
        "if (page->refcount > 1)",
        "if (page)",
    ),
    row(
        "gather-start",
        "the invalidation begins at the last page unhooked",
        "unmap.c",
        "tlb->start = MIN(tlb->start, start);",
        "tlb->start = start;",
    ),
    row(
        "gather-end",
        "the invalidation ends one page early",
        "unmap.c",
        "tlb->end = MAX(tlb->end, end);",
        "tlb->end = MAX(tlb->end, end - PAGE_SIZE);",
    ),
    row(
        "gather-flush",
        "munmap invalidates nothing",
        "unmap.c",
        "flush_tlb_range(tlb->mm, tlb->start, tlb->end, tlb->blocks || tlb->tables != PAGE_NONE);",
        "{}",
    ),
    row(
        "gather-tables",
        "freed tables stay in the walk cache",
        "unmap.c",
        "tlb->tables != PAGE_NONE",
        "false",
    ),
    row(
        "gather-order",
        "tables are freed before the invalidation",
        "unmap.c",
        "list_push(&tlb->tables, table);",
        "pte_free(tlb->mm, table);",
    ),
    row(
        "exit-flush",
        "the ASID of an ended mm is given away with its entries",
        "unmap.c",
        "flush_tlb_mm(tlb->mm);",
        "{}",
    ),
    row(
        "table-range",
        "the invalidation leaves the range of a freed table out",
        "unmap.c",
        "tlb_flush_pte_range(tlb, start, end); list_push(&tlb->tables, table);",
        "list_push(&tlb->tables, table);",
    ),
]

AREAS = [
    row(
        "cut-upper",
        "the area above a hole begins a page late",
        "mmap.c",
        "move_start(upper, at);",
        "move_start(upper, at + PAGE_SIZE);",
    ),
    row(
        "cut-flags",
        "the area above a hole loses its flags",
        "mmap.c",
        "move_start(upper, at);",
        "move_start(upper, at); upper->flags = VM_READ;",
    ),
    row(
        "cut-lower",
        "an area cut at its start begins a page late",
        "mmap.c",
        "move_start(v, end);",
        "move_start(v, end + PAGE_SIZE);",
    ),
    row(
        "cut-room",
        "a hole is cut without a free slot for what lies above",
        "mmap.c",
        "v->end <= end || free_slot(mm)",
        "true",  # the defect: what asks for a slot always says yes
    ),
    row("hole-above", "what lies above a hole goes too", "mmap.c", "MIN(end, v->end)", "v->end"),
    row(
        "hole-below",
        "what lies below a hole goes too",
        "mmap.c",
        "MAX(start, v->start)",
        "v->start",
    ),
    row(
        "tables-floor",
        "tables that the area below uses are freed",
        "mmap.c",
        "floor = MAX(floor, v->end);",
        "floor = 0;",
    ),
    row(
        "tables-ceiling",
        "tables that the area above uses are freed",
        "mmap.c",
        "floor, above ? above->start : TASK_SIZE);",
        "floor, TASK_SIZE);",
    ),
    row("map-null", "page 0 can be mapped", "mmap.c", "start >= PAGE_SIZE &&", ""),
    row(
        "map-overlap",
        "an area may not touch its neighbour",
        "mmap.c",
        "if (find_vma_intersection(mm, start, start + length))",
        "if (find_vma_intersection(mm, start, start + length + 1))",
    ),
    row(
        "unhook-slot",
        "a freed table stays hooked in",
        "free_tables.c",
        "table_page(ptep_get_and_clear(slot))",
        "table_page(ptep_get(slot))",
    ),
    row(
        "unhook-span",
        "a table goes that reaches beyond the ceiling",
        "free_tables.c",
        "at >= floor && at + span <= ceiling",
        "at >= floor",
    ),
]

MOVE = [
    row(
        "move-flags",
        "mremap loses the area's flags",
        "mremap.c",
        "copy_vma(v, to)",
        "mm_map(mm, to, length, VM_DATA)",
    ),
    row(
        "move-flush",
        "the old addresses stay in the TLB",
        "mremap.c",
        "flush_tlb_range(mm, from, from + bytes, false);",
        "",
    ),
    row(
        "move-flush-new",
        "mremap invalidates the new addresses",
        "mremap.c",
        "flush_tlb_range(mm, from, from + bytes, false);",
        "flush_tlb_range(mm, to, to + bytes, false);",
    ),
    row(
        "move-colour",
        "a zero page keeps the colour of its old address",
        "mremap.c",
        "return pfn_pte(my_zero_pfn(to), pte & ~PTE_ADDR_MASK);",
        "return to ? pte : pfn_pte(my_zero_pfn(to), pte);",
    ),
    row(
        "move-undo",
        "mremap out of memory leaves the new area",
        "mremap.c",
        "BUG_ON(mm_unmap(mm, to, length));",
        "",
    ),
    row(
        "move-tables",
        "the last table of the target is not made first",
        "mremap.c",
        "error = alloc_target_tables(mm, from, to, length);",
        "error = alloc_target_tables(mm, from, to, length - PAGE_SIZE);",
    ),
    row("move-kmap", "mremap keeps a kmap slot", "mremap.c", "pte_unmap(target_base);", ""),
    row(
        "move-copy",
        "the old entries stay",
        "mremap.c",
        "move_pte(ptep_get_and_clear(source), to)",
        "move_pte(ptep_get(source), to)",
    ),
    row(
        "move-extent",
        "a move runs over the end of the target's table",
        "mremap.c",
        "return MIN(source, target);",
        "return target ? source : 0;",
    ),
]

SW_AREA_MUTANTS = [*FAULT, *FORK, *UNMAP, *AREAS, *MOVE]
