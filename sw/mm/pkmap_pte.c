/* How the kmap pool touches page tables and TLB. */
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

static vaddr_t slot_va(u32 slot)
{
    return PKMAP_BASE + (slot << PAGE_SHIFT);
}

void pkmap_set_pte(u32 slot, struct page *page)
{
    pte_t *pte = pte_offset_kernel(slot_va(slot));

    BUG_ON(pte_present(pte_get(pte)));
    pte_set(pte, page_to_paddr(page) | PROT_KERNEL);
}

void pkmap_clear_pte(u32 slot)
{
    pte_t *pte = pte_offset_kernel(slot_va(slot));

    BUG_ON(!pte_present(pte_get(pte)));
    pte_clear(pte);
}

void pkmap_flush_slots(u32 first, u32 end)
{
    flush_tlb_kernel_range(slot_va(first), slot_va(end));
}

void pkmap_flush_everything(void)
{
    flush_tlb_all();
}
