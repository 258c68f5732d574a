#include "mm/pgtable.h"
#include "mm/highmem.h"
#include "mm/tlb.h"
#include "panic.h"

struct pte_map_stats pte_map_stats;

static struct page *table_page(pte_t entry)
{
    struct page *page = pfn_to_page(pte_pfn(entry));

    BUG_ON(!page || !(page->flags & PG_TABLE));
    return page;
}

static bool root_holds_ptes(void)
{
    return USER_START_LEVEL == LEAF_LEVEL;
}

/* Steps down from the root to the entry at level 2; upper tables are lowmem. */
static struct pte_slot *upper_walk(struct mm *mm, vaddr_t address, bool allocate)
{
    struct pte_slot *table = mm->root;

    for (unsigned level = USER_FIRST_LEVEL; level < LEAF_LEVEL - 1; level++) {
        if (level < USER_START_LEVEL) /* this level is folded */
            continue;
        struct pte_slot *slot = ptep_add(table, user_index(level, address));
        pte_t entry = ptep_get(slot);

        if (!pte_present(entry)) {
            struct pte_slot *next = allocate ? pte_alloc_one_kernel() : NULL;

            if (!next)
                return NULL;
            mm->nr_tables++;
            entry = kernel_va(next) | PTE_TABLE;
            set_pte(slot, entry);
        }
        table = lowmem_address(table_page(entry));
    }
    return root_holds_ptes() ? NULL : ptep_add(table, user_index(LEAF_LEVEL - 1, address));
}

struct pte_slot *pmd_offset(struct mm *mm, vaddr_t address)
{
    return upper_walk(mm, address, false);
}

struct pte_slot *pmd_alloc(struct mm *mm, vaddr_t address)
{
    return upper_walk(mm, address, true);
}

static struct pte_slot *map_entry(struct page *table, vaddr_t address)
{
    struct pte_slot *base = HIGHPTE ? kmap_local_page(table) : lowmem_address(table);

    pte_map_stats.maps++;
    return ptep_add(base, user_index(LEAF_LEVEL, address));
}

struct pte_slot *pte_offset_map(struct mm *mm, vaddr_t address)
{
    if (root_holds_ptes())
        return ptep_add(mm->root, user_index(LEAF_LEVEL, address));
    struct pte_slot *pmd = pmd_offset(mm, address);
    pte_t entry = pmd ? ptep_get(pmd) : 0;

    return pte_is_table(entry) ? map_entry(table_page(entry), address) : NULL;
}

struct pte_slot *pte_alloc_map(struct mm *mm, vaddr_t address)
{
    if (root_holds_ptes())
        return ptep_add(mm->root, user_index(LEAF_LEVEL, address));
    struct pte_slot *pmd = upper_walk(mm, address, true);

    if (!pmd)
        return NULL;
    pte_t entry = ptep_get(pmd);

    if (!pte_present(entry)) {
        struct page *table = pte_alloc_one(mm);

        if (!table)
            return NULL;
        entry = page_to_paddr(table) | PTE_TABLE;
        set_pte(pmd, entry);
    }
    return map_entry(table_page(entry), address);
}

void pte_unmap(struct pte_slot *pte)
{
    if (HIGHPTE)
        kunmap_local(pte);
}

vaddr_t pte_page_end(vaddr_t address, vaddr_t end)
{
    vaddr_t boundary = (address & ~(PTE_PAGE_SPAN - 1)) + PTE_PAGE_SPAN;

    return boundary - 1 < end - 1 ? boundary : end;
}
