/* Ordering of an unmap: unhook PTEs and tables, invalidate once, only then free. */
#ifndef MM_MMU_GATHER_H
#define MM_MMU_GATHER_H

#include "mm/mm.h"

struct mmu_gather {
    struct mm *mm;
    bool fullmm;        /* the whole address space goes */
    bool blocks;        /* not only leaves of the last level were unhooked */
    bool keep_private;  /* private copies of a file's pages stay where they are */
    vaddr_t start, end; /* what was unhooked; end 0: nothing */
    u32 pages, tables;  /* what is freed after the invalidation: lists through page->next */
};

void tlb_gather_mmu(struct mmu_gather *tlb, struct mm *mm);
void tlb_gather_mmu_fullmm(struct mmu_gather *tlb, struct mm *mm);
void tlb_remove_page(struct mmu_gather *tlb, struct page *page);
/* A leaf of the last level that has changed. */
void tlb_flush_pte_range(struct mmu_gather *tlb, vaddr_t start, vaddr_t end);
/* An unhooked block, which is no leaf of the last level. */
void tlb_remove_block(struct mmu_gather *tlb, vaddr_t start, vaddr_t end);
/* An unhooked table that maps [start, end), or the part of it that matters. */
void pte_free_tlb(struct mmu_gather *tlb, struct page *table, vaddr_t start, vaddr_t end);
void tlb_finish_mmu(struct mmu_gather *tlb);

/* Takes the PTEs of [start, end), a part of the area, away; tlb_finish_mmu releases the pages. */
void unmap_page_range(struct mmu_gather *tlb, const struct vma *v, vaddr_t start, vaddr_t end);

/* Gives what is mapped in [start, end), a part of the area, the area's permissions. Write
 * permission is only taken away here. */
void change_protection(struct mmu_gather *tlb, const struct vma *v, vaddr_t start, vaddr_t end);

/* Unhooks the tables of [start, end), where no PTE is left, as far as their spans lie wholly in
 * [floor, ceiling). */
void free_pgtables(struct mmu_gather *tlb, vaddr_t start, vaddr_t end, vaddr_t floor,
                   vaddr_t ceiling);
/* All tables below the root, of an mm without PTEs. */
void free_all_pgtables(struct mmu_gather *tlb);

#endif
