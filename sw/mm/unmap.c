#include "mm/highmem.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"

void tlb_gather_mmu(struct mmu_gather *tlb, struct mm *mm)
{
    *tlb = (struct mmu_gather){.mm = mm, .start = ~0u, .pages = PAGE_NONE};
}

void tlb_remove_tlb_entry(struct mmu_gather *tlb, vaddr_t address)
{
    tlb->start = MIN(tlb->start, address);
    tlb->end = MAX(tlb->end, address + PAGE_SIZE);
}

/* A page that others still use only loses a reference, at once: nobody frees it before them. */
void tlb_remove_page(struct mmu_gather *tlb, struct page *page)
{
    if (page->refcount > 1) {
        put_page(page);
        return;
    }
    page->next = tlb->pages;
    tlb->pages = (u32)(page - mem_map);
}

void tlb_finish_mmu(struct mmu_gather *tlb)
{
    flush_tlb_range(tlb->mm, tlb->start, tlb->end, false);
    while (tlb->pages != PAGE_NONE) {
        struct page *page = mem_map + tlb->pages;

        tlb->pages = page->next;
        put_page(page);
    }
}

static void zap_pte(struct mmu_gather *tlb, const struct vma *v, vaddr_t address,
                    struct pte_slot *slot)
{
    struct page *page = vm_normal_page(v, address, ptep_get_and_clear(slot));

    tlb_remove_tlb_entry(tlb, address);
    if (!page) /* no RSS, nothing to free */
        return;
    BUG_ON(tlb->mm->anon_rss == 0);
    tlb->mm->anon_rss--;
    tlb_remove_page(tlb, page);
}

void unmap_page_range(struct mmu_gather *tlb, const struct vma *v, vaddr_t start, vaddr_t end)
{
    while (start < end) {
        vaddr_t stop = pte_page_end(start, end);
        struct pte_slot *base = pte_offset_map(tlb->mm, start);

        if (base) {
            struct pte_slot *pte = base;

            for (vaddr_t at = start; at != stop; at += PAGE_SIZE, pte = ptep_next(pte))
                if (ptep_present(pte))
                    zap_pte(tlb, v, at, pte);
            pte_unmap(base);
        }
        start = stop;
    }
}
