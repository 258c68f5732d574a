/* Page faults on anonymous memory: a read maps the zero page, a write gets a page of its own. */
#include "errno.h"
#include "mm/highmem.h"
#include "mm/mm.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"

struct fault_stats fault_stats;

static bool permitted(const struct vma *v, u32 fault)
{
    u32 need = fault & FAULT_EXEC ? VM_EXEC : fault & FAULT_WRITE ? VM_WRITE : VM_READ;

    return v->flags & need;
}

static u64 page_prot(const struct vma *v)
{
    return v->flags & VM_WRITE ? PROT_USER : v->flags & VM_EXEC ? PROT_USER_RX : PROT_USER_RO;
}

/* Nothing is mapped yet. */
static int do_anonymous_page(struct mm *mm, const struct vma *v, struct pte_slot *slot,
                             vaddr_t address, u32 fault)
{
    if (!(fault & FAULT_WRITE)) {
        BUG_ON(zero_pfn == 0);
        u64 prot = v->flags & VM_EXEC ? PROT_USER_RX : PROT_USER_RO;

        set_pte(slot, pfn_pte(my_zero_pfn(address), prot | PTE_SPECIAL));
        fault_stats.zero_maps++;
        return 0;
    }
    struct page *page = alloc_page(GFP_HIGHUSER | __GFP_ZERO);

    if (!page)
        return -ENOMEM;
    set_pte(slot, mk_pte(page, page_prot(v)));
    mm->anon_rss++;
    fault_stats.anon_new++;
    return 0;
}

/* A write to a page that is mapped read-only: zero page, or shared since a fork. */
static int do_wp_page(struct mm *mm, const struct vma *v, struct pte_slot *slot, vaddr_t address)
{
    pte_t old = ptep_get(slot);
    struct page *old_page = vm_normal_page(v, address, old), *page;

    BUG_ON(!old_page && !is_zero_pfn(pte_pfn(old)));

    if (old_page && old_page->refcount == 1) { /* the other side has gone */
        set_pte(slot, pte_paddr(old) | page_prot(v));
        flush_tlb_page(mm, address);
        fault_stats.cow_reuse++;
        return 0;
    }
    page = alloc_page(old_page ? GFP_HIGHUSER : GFP_HIGHUSER | __GFP_ZERO);
    if (!page)
        return -ENOMEM;
    if (old_page) {
        copy_highpage(page, old_page);
        fault_stats.cow_copy++;
    } else {
        mm->anon_rss++;
        fault_stats.cow_zero++;
    }
    ptep_clear_flush(mm, address, slot); /* break before make */
    set_pte(slot, mk_pte(page, page_prot(v)));
    if (old_page)
        put_page(old_page);
    return 0;
}

int handle_mm_fault(struct mm *mm, vaddr_t address, u32 fault)
{
    struct vma *v = find_vma(mm, address);
    int error = 0;

    if (!v || !permitted(v, fault))
        return -EFAULT;
    address &= PAGE_MASK;
    struct pte_slot *slot = pte_alloc_map(mm, address);

    if (!slot)
        return -ENOMEM;
    pte_t pte = ptep_get(slot);

    if (!pte_present(pte))
        error = do_anonymous_page(mm, v, slot, address, fault);
    else if ((fault & FAULT_WRITE) && !pte_writable(pte))
        error = do_wp_page(mm, v, slot, address);
    else /* one CPU, so nobody else can have repaired it in between */
        panic("fault at 0x%08x although its PTE 0x%016llx allows it: stale TLB entry?", address,
              pte);
    pte_unmap(slot);
    return error;
}
