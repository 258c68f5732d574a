/* How the kmap pool touches page tables and TLB. */
#include "drivers/mmu.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

struct pte_slot *pkmap_page_table;
bool pkmap_tracks_access;

void pkmap_pte_init(struct pte_slot *first_slot)
{
    pkmap_page_table = first_slot;
    pkmap_tracks_access = mmu_sets_access_flag();
}

struct pte_slot *pkmap_pte(u32 slot)
{
    return ptep_add(pkmap_page_table, slot);
}

void pkmap_set_pte(u32 slot, struct page *page)
{
    struct pte_slot *pte = pkmap_pte(slot);
    pte_t entry = mk_pte(page, PROT_KERNEL);

    BUG_ON(ptep_present(pte));
    set_pte(pte, pkmap_tracks_access ? pte_mkold(entry) : entry);
}

/* Only an access through this very slot makes the walker set its access flag, and none is under way
 * here, so that the flag cannot come between reading and clearing. */
bool pkmap_clear_pte(u32 slot)
{
    pte_t entry = ptep_get_and_clear(pkmap_pte(slot));

    BUG_ON(!pte_present(entry));
    return pte_young(entry);
}

void pkmap_flush_slots(u32 first, u32 end)
{
    vaddr_t start = PKMAP_BASE + pages_to_bytes(first);

    flush_tlb_kernel_range(start, start + pages_to_bytes(end - first));
}

void pkmap_flush_everything(void)
{
    flush_tlb_all();
}
