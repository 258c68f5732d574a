/* fork: the child gets a copy of the page tables, and shares the pages until one side writes. */
#include "errno.h"
#include "mm/mm.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/tlb.h"

/* One entry. A private page becomes shared and read-only; what is special, and what a shared area
 * maps, is copied as it is. Says whether the parent's entry lost its write permission. */
static bool copy_present_pte(struct mm *child, const struct vma *v, vaddr_t address,
                             struct pte_slot *to, struct pte_slot *from)
{
    pte_t pte = ptep_get(from);
    struct page *page = vm_normal_page(v, address, pte);
    bool protect = pte_writable(pte) && !(v->flags & VM_SHARED);

    if (protect) {
        ptep_set_wrprotect(from);
        pte = pte_wrprotect(pte);
    }
    set_pte(to, pte);
    if (page) {
        get_page(page);
        ++*mm_counter(child, page);
    }
    return protect;
}

/* The part of an area under one PTE page. Two tables are mapped at a time; reverse order of unmap.
 */
static int copy_pte_range(struct mm *child, struct mm *parent, const struct vma *v, vaddr_t start,
                          vaddr_t end, bool *protected)
{
    struct pte_slot *from_base = pte_offset_map(parent, start);

    if (!from_base)
        return 0;
    struct pte_slot *to_base = pte_alloc_map(child, start);

    if (to_base) {
        struct pte_slot *from = from_base, *to = to_base;

        for (; start != end; start += PAGE_SIZE, from = ptep_next(from), to = ptep_next(to))
            if (ptep_present(from))
                *protected |= copy_present_pte(child, v, start, to, from);
        pte_unmap(to_base);
    }
    pte_unmap(from_base);
    return to_base ? 0 : -ENOMEM;
}

/* On -ENOMEM the child has a part of the areas; its owner frees it as it is. */
int mm_fork(struct mm *child, struct mm *parent)
{
    bool protected = false;
    int error = 0;

    for (u32 i = 0; i < NR_VMAS && !error; i++) {
        const struct vma *v = &parent->vmas[i];

        if (!v->flags)
            continue;
        child->vmas[i] = *v;
        child->vmas[i].vm_mm = child;
        vma_link_file(&child->vmas[i]);
        for (vaddr_t at = v->start; !error && at < v->end;) {
            vaddr_t stop = pte_page_end(at, v->end);

            error = copy_pte_range(child, parent, v, at, stop, &protected);
            at = stop;
        }
    }
    if (protected)
        flush_tlb_mm(parent);
    return error;
}
