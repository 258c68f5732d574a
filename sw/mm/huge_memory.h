/* A large zero page: what a read of a hole can map for all pages of a PTE page at once, by a block
 * at the level above. It is the only thing that user blocks map here: read-only, special, and not
 * counted, so taking a block away loses nothing that the next fault would not bring back. */
#ifndef MM_HUGE_MEMORY_H
#define MM_HUGE_MEMORY_H

#include "mm/memory.h"
#include "mm/mmu_gather.h"

#define HPAGE_PMD_SIZE PTE_PAGE_SPAN
#define HPAGE_PMD_NR   (HPAGE_PMD_SIZE >> PAGE_SHIFT)
#define HPAGE_PMD_MASK (~(HPAGE_PMD_SIZE - 1))

/* Allocated at its first use, in highmem if possible: nobody but the MMU and users look at it. Each
 * address space that uses it holds one reference, and one is held for shrink_huge_zero_page. NULL:
 * there is no block of that size, as always where it is larger than the allocator's largest. */
struct page *mm_get_huge_zero_folio(struct mm *mm);
void mm_put_huge_zero_folio(struct mm *mm);
u32 shrink_huge_zero_page(void); /* frees it if nobody uses it; pages freed */
bool is_huge_zero_pfn(pfn_t pfn);

struct huge_zero_stats {
    u32 refcount, allocations, failures;
};
extern struct huge_zero_stats huge_zero_stats;

/* FALLBACK if something is mapped there, a PTE page included. */
vm_fault_t vmf_insert_huge_zero(struct vma *v, vaddr_t address, struct page *page);

/* The block becomes a PTE page of zero pages, each of its address's colour. -ENOMEM. */
int split_huge_pmd(struct vma *v, vaddr_t address);

/* Takes a block away, if one maps the address: all of it, whatever part was asked for. */
void zap_huge_pmd(struct mmu_gather *tlb, vaddr_t address);

#endif
