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
    struct pte_slot *pte = pte_offset_kernel(slot_va(slot));

    BUG_ON(ptep_present(pte));
    set_pte(pte, mk_pte(page, PROT_KERNEL));
}

void pkmap_clear_pte(u32 slot)
{
    struct pte_slot *pte = pte_offset_kernel(slot_va(slot));

    BUG_ON(!ptep_present(pte));
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
