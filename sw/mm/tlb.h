/* TLB maintenance: every call returns when the invalidation is complete. Unmap first, flush then,
 * free last. A range that one to five range operations cover uses those; a longer one flushes the
 * ASID (user) or everything (kernel). start >= end does nothing, but an `end` of 0 is 2^32; bounds
 * are rounded outward. */
#ifndef MM_TLB_H
#define MM_TLB_H

#include "mm/pte_slot.h"
#include "mm/tlbi_operand.h"
#include "types.h"

struct mm;

void flush_tlb_page(struct mm *mm, vaddr_t address); /* leaf of one user page */
/* User range; `tables` also drops walk-cache entries, needed when tables are freed. */
void flush_tlb_range(struct mm *mm, vaddr_t start, vaddr_t end, bool tables);
void flush_tlb_mm(struct mm *mm);
pte_t ptep_clear_flush(struct mm *mm, vaddr_t address, struct pte_slot *slot);
/* More permissions for an entry that stays where it points to; the old ones may be in the TLB. */
void ptep_set_access_flags(struct mm *mm, vaddr_t address, struct pte_slot *slot, pte_t pte);
void flush_tlb_kernel_range(vaddr_t start, vaddr_t end);
void flush_tlb_all(void);
void local_flush_tlb_kernel_page(vaddr_t address);

extern bool tlb_range_operations;         /* FEAT_TLBIRANGE; experiments switch it off */
extern u32 tlb_single_page_flush_ceiling; /* so many pages still go one by one; mm/flush_policy.h */

/* The next operation for `left` pages. */
static inline struct tlbi_step tlb_next_step(u32 left)
{
    return tlb_range_operations ? tlbi_next_step(left) : (struct tlbi_step){.pages = 1};
}

/* Operations issued so far, by kind. */
struct tlb_stats {
    u32 page, range, asid, all;
    u32 kernel_degraded; /* kernel ranges for which everything went */
};
extern struct tlb_stats tlb_stats;

#endif
