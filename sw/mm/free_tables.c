/* Giving page-table pages back, children before their parents. They wait in the mmu_gather for
 * their invalidation: nothing is freed before the TLB and the walk caches have forgotten it. */
#include "mm/highmem.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"

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
 * in [floor, ceiling). */
static void unhook(struct mmu_gather *tlb, unsigned level, vaddr_t start, vaddr_t end,
                   vaddr_t floor, vaddr_t ceiling)
{
    u32 span = 1u << geometry_shift(geo, level);

    /* Ends of spans are at most 2^31, as TASK_SIZE is, so nothing wraps. */
    for (vaddr_t at = start & ~(span - 1); at < end; at += span) {
        bool unused = at >= floor && at + span <= ceiling;
        struct pte_slot *slot = unused ? slot_at(tlb->mm, level, at) : NULL;

        if (slot && ptep_present(slot))
            pte_free_tlb(tlb, table_page(ptep_get_and_clear(slot)), MAX(at, start),
                         MIN(at + span, end));
    }
}

void free_pgtables(struct mmu_gather *tlb, vaddr_t start, vaddr_t end, vaddr_t floor,
                   vaddr_t ceiling)
{
    for (unsigned level = LEAF_LEVEL; level-- > geo->start_level;)
        unhook(tlb, level, start, end, floor, ceiling);
}

/* Level by level, because areas share upper tables. */
void free_all_pgtables(struct mmu_gather *tlb)
{
    const struct vma *vmas = tlb->mm->vmas;

    for (unsigned level = LEAF_LEVEL; level-- > geo->start_level;)
        for (const struct vma *v = vmas; v < vmas + NR_VMAS; v++)
            if (v->flags)
                unhook(tlb, level, v->start, v->end, 0, ~0u);
}
