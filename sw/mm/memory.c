#include "mm/memory.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"

/* Of a page or frame that was not written through this mapping yet. */
static u64 readonly_prot(const struct vma *v)
{
    return v->flags & VM_EXEC ? PROT_USER_RX : PROT_USER_RO;
}

/* What is there already was put there for somebody else's sake and is left alone, but mkwrite makes
 * the same frame writable in place. Another frame than the zero page cannot be meant. */
static void upgrade_pfn(struct vma *v, vaddr_t address, struct pte_slot *slot, pfn_t pfn)
{
    pte_t old = ptep_get(slot);

    if (pte_pfn(old) == pfn)
        ptep_set_access_flags(v->vm_mm, address, slot,
                              pfn_pte(pfn, PROT_USER | PTE_DIRTY | PTE_SPECIAL));
    else
        WARN_ON(!is_zero_pfn(pte_pfn(old)));
}

static vm_fault_t insert_pfn(struct vma *v, vaddr_t address, pfn_t pfn, bool mkwrite)
{
    BUG_ON(!(v->flags & VM_MIXEDMAP) && !is_zero_pfn(pfn));
    if (address < v->start || address >= v->end)
        return VM_FAULT_SIGBUS;
    struct pte_slot *slot = pte_alloc_map(v->vm_mm, address);

    if (!slot)
        return VM_FAULT_OOM;
    if (!ptep_present(slot))
        set_pte(slot,
                pfn_pte(pfn, PTE_SPECIAL | (mkwrite ? PROT_USER | PTE_DIRTY : readonly_prot(v))));
    else if (mkwrite)
        upgrade_pfn(v, address, slot, pfn);
    pte_unmap(slot);
    return VM_FAULT_NOPAGE;
}

vm_fault_t vmf_insert_mixed(struct vma *v, vaddr_t address, pfn_t pfn)
{
    return insert_pfn(v, address, pfn, false);
}

vm_fault_t vmf_insert_mixed_mkwrite(struct vma *v, vaddr_t address, pfn_t pfn)
{
    return insert_pfn(v, address, pfn, true);
}

vm_fault_t finish_fault(struct vm_fault *vmf)
{
    struct mm *mm = vmf->vma->vm_mm;
    struct page *page = vmf->cow_page ? vmf->cow_page : vmf->page;
    struct pte_slot *slot = pte_alloc_map(mm, vmf->address);

    if (!slot)
        return VM_FAULT_OOM;
    BUG_ON(ptep_present(slot));
    set_pte(slot, mk_pte(page, vmf->cow_page ? PROT_USER | PTE_DIRTY : readonly_prot(vmf->vma)));
    pte_unmap(slot);
    ++*mm_counter(mm, page);
    return 0;
}

vm_fault_t finish_mkwrite_fault(struct vm_fault *vmf)
{
    struct mm *mm = vmf->vma->vm_mm;
    struct pte_slot *slot = pte_offset_map(mm, vmf->address);
    pte_t pte = ptep_get(slot);

    ptep_set_access_flags(mm, vmf->address, slot, (pte & ~PTE_RDONLY) | PTE_DIRTY);
    pte_unmap(slot);
    return VM_FAULT_NOPAGE;
}

/* A private area is written: the handler fills a page that is ours alone. */
static vm_fault_t do_cow_fault(struct vm_fault *vmf)
{
    vmf->cow_page = alloc_page(GFP_HIGHUSER);
    if (!vmf->cow_page)
        return VM_FAULT_OOM;
    vm_fault_t result = vmf->vma->vm_ops->fault(vmf);

    if (result & VM_FAULT_ERROR)
        put_page(vmf->cow_page);
    return result;
}

vm_fault_t do_fault(struct vm_fault *vmf)
{
    if ((vmf->flags & FAULT_WRITE) && !(vmf->vma->flags & VM_SHARED))
        return do_cow_fault(vmf);
    return vmf->vma->vm_ops->fault(vmf);
}

vm_fault_t do_wp_shared(struct vm_fault *vmf, struct page *page)
{
    const struct vm_operations *ops = vmf->vma->vm_ops;

    return page ? ops->page_mkwrite(vmf) : ops->pfn_mkwrite(vmf);
}
