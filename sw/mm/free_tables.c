/* Giving page-table pages back. Children go before their parents; nothing is freed before the TLB
 * and the walk caches have forgotten it. */
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

static const struct geometry *const geo = &user_geometry;

static struct page *table_page(pte_t entry)
{
    return pfn_to_page(pte_pfn(entry));
}

/* Slot of `level` for `address`; NULL when a table on the way is missing. */
static struct pte_slot *slot_at(struct mm *mm, unsigned level, vaddr_t address)
{
    struct pte_slot *table = mm->root;

    for (unsigned l = geo->start_level; l < level; l++) {
        pte_t entry = ptep_get(ptep_add(table, geometry_index(geo, l, address)));

        if (!pte_present(entry))
            return NULL;
        table = lowmem_address(table_page(entry));
    }
    return ptep_add(table, geometry_index(geo, level, address));
}

/* Unhooks the tables below the entries of `level` that map [start, end), if their whole span lies
 * in [floor, ceiling). They wait on the list for their invalidation. */
static void unhook(struct mm *mm, unsigned level, vaddr_t start, vaddr_t end, vaddr_t floor,
                   vaddr_t ceiling, u32 *list)
{
    u32 span = 1u << geometry_shift(geo, level);

    /* Ends of spans are at most 2^31, as TASK_SIZE is, so nothing wraps. */
    for (vaddr_t at = start & ~(span - 1); at < end; at += span) {
        struct pte_slot *slot = at >= floor && at + span <= ceiling ? slot_at(mm, level, at) : NULL;
        pte_t entry = slot ? ptep_get(slot) : 0;

        if (!pte_present(entry))
            continue;
        struct page *page = table_page(entry);

        pte_clear(slot);
        page->next = *list;
        *list = (u32)(page - mem_map);
    }
}

static void free_list(struct mm *mm, u32 list)
{
    while (list != PAGE_NONE) {
        struct page *page = mem_map + list;

        list = page->next;
        pte_free(mm, page);
    }
}

void free_pgtables(struct mm *mm, vaddr_t start, vaddr_t end, vaddr_t floor, vaddr_t ceiling)
{
    u32 list = PAGE_NONE;

    for (unsigned level = LEAF_LEVEL; level-- > geo->start_level;)
        unhook(mm, level, start, end, floor, ceiling, &list);
    if (list == PAGE_NONE)
        return;
    flush_tlb_range(mm, start, end, true);
    free_list(mm, list);
}

/* Level by level, because areas share upper tables. */
void free_all_pgtables(struct mm *mm)
{
    u32 list = PAGE_NONE;

    for (unsigned level = LEAF_LEVEL; level-- > geo->start_level;)
        for (const struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
            if (v->flags)
                unhook(mm, level, v->start, v->end, 0, ~0u, &list);
    flush_tlb_mm(mm);
    free_list(mm, list);
}
