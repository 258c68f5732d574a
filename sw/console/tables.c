#include "console/tables.h"
#include "mm/highmem.h"

struct pte_slot *map_table(paddr_t pa)
{
    u8 *page = kmap_local_page(pfn_to_page(paddr_to_pfn(pa)));

    return (struct pte_slot *)(page + ((u32)pa & ~PAGE_MASK));
}

void unmap_table(struct pte_slot *table)
{
    kunmap_local(table);
}

bool read_entry(paddr_t address, pte_t *entry)
{
    if (!pfn_to_page(paddr_to_pfn(address)))
        return false;
    struct pte_slot *slot = map_table(address);

    *entry = ptep_get(slot);
    unmap_table(slot);
    return true;
}
