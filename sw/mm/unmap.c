#include "mm/huge_memory.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

void tlb_gather_mmu(struct mmu_gather *tlb, struct mm *mm)
{
    *tlb = (struct mmu_gather){
        .mm = mm,
        .start = ~0u,
        .pages = PAGE_NONE,
        .tables = PAGE_NONE,
    };
}

void tlb_gather_mmu_fullmm(struct mmu_gather *tlb, struct mm *mm)
{
    tlb_gather_mmu(tlb, mm);
    tlb->fullmm = true;
}

void tlb_flush_pte_range(struct mmu_gather *tlb, vaddr_t start, vaddr_t end)
{
    tlb->start = MIN(tlb->start, start);
    tlb->end = MAX(tlb->end, end);
}

static void list_push(u32 *list, struct page *page)
{
    page->next = *list;
    *list = (u32)(page - mem_map);
}

static struct page *list_pop(u32 *list)
{
    struct page *page = *list == PAGE_NONE ? NULL : mem_map + *list;

    if (page)
        *list = page->next;
    return page;
}

/* A page that others still use only loses a reference, at once: nobody frees it before them. */
void tlb_remove_page(struct mmu_gather *tlb, struct page *page)
{
    if (page->refcount > 1)
        put_page(page);
    else
        list_push(&tlb->pages, page);
}

void tlb_remove_block(struct mmu_gather *tlb, vaddr_t start, vaddr_t end)
{
    tlb_flush_pte_range(tlb, start, end);
    tlb->blocks = true;
}

void pte_free_tlb(struct mmu_gather *tlb, struct page *table, vaddr_t start, vaddr_t end)
{
    tlb_flush_pte_range(tlb, start, end);
    list_push(&tlb->tables, table);
}

void tlb_finish_mmu(struct mmu_gather *tlb)
{
    struct page *page;

    if (tlb->end && tlb->fullmm)
        flush_tlb_mm(tlb->mm);
    else if (tlb->end)
        flush_tlb_range(tlb->mm, tlb->start, tlb->end, tlb->blocks || tlb->tables != PAGE_NONE);
    while ((page = list_pop(&tlb->pages)))
        put_page(page);
    while ((page = list_pop(&tlb->tables)))
        pte_free(tlb->mm, page);
}

static void zap_pte(struct mmu_gather *tlb, const struct vma *v, vaddr_t address, vaddr_t end,
                    struct pte_slot *slot)
{
    struct page *page = vm_normal_page(v, address, ptep_get(slot));

    if (tlb->keep_private && page && !(page->flags & PG_FILE))
        return;
    pte_clear(slot);
    tlb_flush_pte_range(tlb, address, end);
    if (!page) /* no RSS, nothing to free */
        return;
    BUG_ON(*mm_counter(tlb->mm, page) == 0);
    --*mm_counter(tlb->mm, page);
    tlb_remove_page(tlb, page);
}

void unmap_page_range(struct mmu_gather *tlb, const struct vma *v, vaddr_t start, vaddr_t end)
{
    while (start < end) {
        vaddr_t stop = pte_page_end(start, end);
        struct pte_slot *base = pte_offset_map(tlb->mm, start);

        if (base) {
            struct pte_slot *pte = base;

            for (vaddr_t at = start, next; at != stop; at = next, pte = ptep_next(pte)) {
                next = at + PAGE_SIZE;
                if (ptep_present(pte))
                    zap_pte(tlb, v, at, next, pte);
            }
            pte_unmap(base);
        } else {
            zap_huge_pmd(tlb, start);
        }
        start = stop;
    }
}
