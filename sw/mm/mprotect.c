/* Other permissions for what is mapped already. Entries change where they are: permissions need no
 * break-before-make, which is for output addresses, attributes of memory and sizes (spec 8.7; DDI
 * 0487, D8.16). Until the invalidation the TLB may use the old ones. It comes once, after the last
 * change. */
#include "mm/huge_memory.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"

/* Write permission is never given: a page may be shared since a fork, a zero page, or the page
 * cache's. The fault of the first write knows. Accessed and dirty stay. */
static pte_t pte_modify(pte_t pte, u32 flags)
{
    if (!(flags & VM_WRITE))
        pte = pte_wrprotect(pte);
    return flags & VM_EXEC ? pte & ~PTE_UXN : pte | PTE_UXN;
}

/* Says whether the entry changed. */
static bool change_pte(struct pte_slot *slot, u32 flags)
{
    pte_t old = ptep_get(slot), pte = pte_modify(old, flags);

    if (pte == old)
        return false;
    if (!pte_writable(pte))
        ptep_set_wrprotect(slot); /* first: a walk meets no page to write and execute */
    set_pte(slot, pte);
    return true;
}

static void change_pte_range(struct mmu_gather *tlb, u32 flags, vaddr_t start, vaddr_t end,
                             struct pte_slot *slot)
{
    for (vaddr_t next; start != end; start = next, slot = ptep_next(slot)) {
        next = start + PAGE_SIZE;
        if (ptep_present(slot) && change_pte(slot, flags))
            tlb_flush_pte_range(tlb, start, next);
    }
}

/* A block is taken away; the next fault brings it back, or pages. */
void change_protection(struct mmu_gather *tlb, const struct vma *v, vaddr_t start, vaddr_t end)
{
    while (start < end) {
        vaddr_t stop = pte_page_end(start, end);
        struct pte_slot *slot = pte_offset_map(tlb->mm, start);

        if (slot) {
            change_pte_range(tlb, v->flags, start, stop, slot);
            pte_unmap(slot);
        } else {
            zap_huge_pmd(tlb, start);
        }
        start = stop;
    }
}
