/* Ordering of an unmap: unhook the PTEs, invalidate, only then free the pages. */
#ifndef MM_MMU_GATHER_H
#define MM_MMU_GATHER_H

#include "mm/mm.h"

struct mmu_gather {
    struct mm *mm;
    vaddr_t start, end; /* what was unhooked since the last flush */
    u32 pages;          /* list through page->next */
};

void tlb_gather_mmu(struct mmu_gather *tlb, struct mm *mm);
void tlb_remove_tlb_entry(struct mmu_gather *tlb, vaddr_t address);
void tlb_remove_page(struct mmu_gather *tlb, struct page *page);
void tlb_finish_mmu(struct mmu_gather *tlb);

/* Takes the PTEs of [start, end), a part of the area, away; tlb_finish_mmu releases the pages. */
void unmap_page_range(struct mmu_gather *tlb, const struct vma *v, vaddr_t start, vaddr_t end);

#endif
