"""Seeded defects of sw/mm: page tables' pages, ASIDs, TLB maintenance, kmap, page allocator. Killed
on the host."""

from mutants.sw_areas import row

TABLES = [
    row(
        "table-rubbish",
        "a fresh page table is not zeroed",
        "pgalloc.c",
        "(GFP_KERNEL | __GFP_ZERO)",
        "GFP_KERNEL",
    ),
    row(
        "table-zone",
        "upper tables may lie in highmem",
        "pgalloc.c",
        "table_alloc(PGALLOC_GFP)",
        "table_alloc(PGALLOC_GFP | __GFP_HIGHMEM)",
    ),
    row(
        "table-nohigh",
        "userpte=nohigh is ignored",
        "pgalloc.c",
        "table_alloc(__userpte_alloc_gfp)",
        "table_alloc(PGALLOC_GFP | PGALLOC_USER_GFP)",
    ),
    row(
        "ctor-leak",
        "a table whose constructor fails is lost",
        "pgalloc.c",
        "put_page(page); return NULL;",
        "return NULL;",
    ),
    row("dtor-count", "freed tables stay counted", "pgalloc.c", "nr_pagetable--;", ""),
    row("upper-count", "upper tables are not counted", "pgtable.c", "mm->nr_tables++;", ""),
    row(
        "page-end",
        "the end of a table's span is one table too far",
        "pgtable.c",
        "(address & ~(PTE_PAGE_SPAN - 1)) + PTE_PAGE_SPAN;",
        "(address & ~(PTE_PAGE_SPAN - 1)) + 2 * PTE_PAGE_SPAN;",
    ),
]

SPACES = [
    row(
        "asid-taken",
        "two address spaces share an ASID",
        "context.c",
        "taken |= mm->used && mm->asid == next_asid;",
        "taken |= mm->used && !mm->asid;",
    ),
    row(
        "asid-zero",
        "ASID 0, that of no address space, is handed out",
        "context.c",
        "next_asid = 1;",
        "next_asid = 0;",
    ),
    row(
        "root-rubbish",
        "a fresh root is not cleared",
        "context.c",
        "memset(mm->root, 0, entries_to_bytes(geometry_root_entries(&user_geometry)));",
        "",
    ),
    row(
        "root-leak",
        "the root of an ended mm is not freed",
        "context.c",
        "put_page(pfn_to_page(paddr_to_pfn(kernel_va(mm->root))));",
        "",
    ),
    row(
        "root-current",
        "the root is freed while TTBR0 points at it",
        "context.c",
        "if (mm == current_mm) mm_switch(NULL);",
        "",
    ),
    row(
        "exit-area",
        "exit leaves the last area's pages",
        "context.c",
        "if (v->flags) unmap_page_range",
        "if (v->flags && v != mm->vmas) unmap_page_range",
    ),
]

TLB = [
    row(
        "tlb-asid",
        "a page is invalidated for ASID 0",
        "tlb.c",
        "invalidate_page(MMU_TLBI_VA, MMU_TLBI_LAST_LEVEL, address, mm->asid);",
        "invalidate_page(MMU_TLBI_VA, MMU_TLBI_LAST_LEVEL, address, mm->asid & 0);",
    ),
    row(
        "tlb-round",
        "a range loses its last page",
        "tlb.c",
        "return last - first + 1;",
        "return last - first;",
    ),
    row(
        "tlb-step",
        "the second operation of a range begins where the first did",
        "tlb.c",
        "start += pages_to_bytes(step.pages);",
        "start += step.pages;",
    ),
    row(
        "tlb-ttl",
        "freed tables are invalidated with a hint to leaves",
        "tlb.c",
        "options & MMU_TLBI_LAST_LEVEL ? HINTED_LEVEL : 0",
        "HINTED_LEVEL",
    ),
    row(
        "tlb-kernel",
        "kernel ranges are invalidated for ASID 0 only",
        "tlb.c",
        "invalidate_range(MMU_TLBI_VA_ALL_ASIDS, MMU_TLBI_RANGE_ALL_ASIDS,",
        "invalidate_range(MMU_TLBI_VA, MMU_TLBI_RANGE,",
    ),
    row(
        "tlb-ceiling",
        "as many pages as the ceiling flush everything",
        "tlb.c",
        "pages > (tlb_range_operations ?",
        "pages >= (tlb_range_operations ?",
        killer="test_tlb",
    ),
    row(
        "tlb-degraded",
        "a kernel range that became everything is not counted",
        "tlb.c",
        "tlb_stats.kernel_degraded++;",
        "",
        killer="test_tlb",
    ),
    row(
        "tlb-leaf",
        "a flush of kernel pages drops tables from the walk cache",
        "tlb.c",
        "MMU_TLBI_RANGE_ALL_ASIDS, MMU_TLBI_LAST_LEVEL,",
        "MMU_TLBI_RANGE_ALL_ASIDS, 0,",
        killer="test_tlb",
    ),
    row(
        "ceiling-text",
        "a ceiling that is no number is reported and taken",
        "flush_policy.c",
        "return -EINVAL;",
        "",
        killer="test_tlb",
    ),
]

KMAP = [
    row(
        "local-flush",
        "a kmap_local slot stays in the TLB",
        "kmap_local.c",
        "local_flush_tlb_kernel_page(address);",
        "",
    ),
    row(
        "local-clear",
        "a kmap_local slot keeps its PTE",
        "kmap_local.c",
        "pte_clear(ptep_add(slots, bytes_to_pages(address - FIX_KMAP_BASE)));",
        "",
    ),
    row(
        "pkmap-flush",
        "a sweep of the kmap pool invalidates nothing",
        "pkmap.c",
        "pkmap_flush_slots(0, nr_pkmap);",
        "{}",
    ),
    row(
        "pkmap-flush-end",
        "a sweep leaves the last slots in the TLB",
        "pkmap_pte.c",
        "start + pages_to_bytes(end - first)",
        "start + pages_to_bytes(end - first) / 2",
    ),
    row(
        "pkmap-eager",
        "kunmap by the eager policy invalidates nothing",
        "pkmap.c",
        "if (pkmap_flush_policy == PKMAP_FLUSH_EAGER && retire(slot))",
        "if (pkmap_flush_policy == PKMAP_FLUSH_EAGER && !retire(slot))",
    ),
    row(
        "pkmap-young",
        "slots that were accessed are not flushed, the others are",
        "pkmap_pte.c",
        "return pte_young(entry);",
        "return !pte_young(entry);",
    ),
    row(
        "pkmap-wake",
        "the wrong colour is woken",
        "pkmap.c",
        "kmap_wake(page_colour(page));",
        "kmap_wake(0);",
        killer="test_pkmap",
    ),
    row(
        "pkmap-resize",
        "a pool changes its size without a sweep",
        "pkmap.c",
        "flush_all_zero_pkmaps(); nr_pkmap = slots;",
        "nr_pkmap = slots;",
        killer="test_pkmap",
    ),
    row(
        "page-address",
        "a page keeps its address after the sweep",
        "page_address.c",
        "slot_page[slot] = NULL;",
        "",
        killer="test_pkmap",
    ),
    row(
        "pkmap-users",
        "a slot in use is swept",
        "pkmap.c",
        "if (pkmap_count[slot] != 1) continue;",
        "if (pkmap_count[slot] < 1) continue;",
    ),
    row(
        "copy-short",
        "copying a page leaves its end out",
        "highmem.c",
        "memcpy(target, source, PAGE_SIZE);",
        "memcpy(target, source, PAGE_SIZE - 4);",
    ),
    row(
        "clear-short",
        "clearing a page leaves its end out",
        "highmem.c",
        "memset(to, 0, PAGE_SIZE);",
        "memset(to, 0, PAGE_SIZE / 8);",
    ),
]

PAGES = [
    row(
        "buddy-order",
        "blocks of another order merge",
        "page_alloc.c",
        "(page->flags & PG_FREE) && page->order == order",
        "(page->flags & PG_FREE)",
        killer="test_page_alloc",
    ),
    row(
        "zone-fallback",
        "highmem that is full does not fall back",
        "page_alloc.c",
        "if (!page) page = alloc_from(&zones[ZONE_LOW], order);",
        "if (!(gfp & __GFP_HIGHMEM)) page = alloc_from(&zones[ZONE_LOW], order);",
        killer="test_page_alloc",
    ),
    row(
        "put-twice",
        "the last reference does not free",
        "page_alloc.c",
        "if (--page->refcount == 0)",
        "if (--page->refcount < 0)",
    ),
]

SW_MEMORY_MUTANTS = [*TABLES, *SPACES, *TLB, *KMAP, *PAGES]
