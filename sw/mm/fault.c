/* Page faults. Anonymous memory: a read maps the zero page, a write gets a page of its own. */
#include "errno.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/memory.h"
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
    return v->flags & VM_WRITE  ? PROT_USER | PTE_DIRTY
           : v->flags & VM_EXEC ? PROT_USER_RX
                                : PROT_USER_RO;
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
    struct page *page = alloc_page(GFP_HIGHUSER);

    if (!page)
        return -ENOMEM;
    clear_user_highpage(page);
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
    bool zero = is_zero_pfn(pte_pfn(old));

    if (old_page && old_page->refcount == 1) { /* nobody else has it, nor the page cache */
        ptep_set_access_flags(mm, address, slot, pte_paddr(old) | page_prot(v));
        fault_stats.cow_reuse++;
        return 0;
    }
    page = alloc_page(GFP_HIGHUSER);
    if (!page)
        return -ENOMEM;
    if (zero) {
        clear_user_highpage(page);
        fault_stats.cow_zero++;
    } else { /* a page, or storage of a file that is mapped privately */
        copy_user_highpage(page, pfn_to_page(pte_pfn(old)));
        fault_stats.cow_copy++;
    }
    ptep_clear_flush(mm, address, slot); /* break before make */
    set_pte(slot, mk_pte(page, page_prot(v)));
    mm->anon_rss++;
    if (old_page) {
        --*mm_counter(mm, old_page);
        put_page(old_page);
    }
    return 0;
}

static int handle_pte_fault(struct mm *mm, const struct vma *v, vaddr_t address, u32 fault)
{
    int error = 0;
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

static int vm_fault_errno(vm_fault_t result)
{
    return result & VM_FAULT_OOM ? -ENOMEM : result & VM_FAULT_SIGBUS ? -EIO : 0;
}

/* FALLBACK: it is a matter of pages, for a block that was mapped has been split. */
static vm_fault_t handle_huge_fault(struct vm_fault *vmf)
{
    struct pte_slot *pmd = pmd_offset(vmf->vma->vm_mm, vmf->address);
    pte_t entry = pmd ? ptep_get(pmd) : 0;

    if (!pte_present(entry))
        return vmf->vma->vm_ops->huge_fault(vmf);
    if (!pmd_leaf(entry))
        return VM_FAULT_FALLBACK;
    if (!(vmf->flags & FAULT_WRITE))
        panic("fault at 0x%08x although block 0x%016llx allows it", vmf->address, entry);
    return split_huge_pmd(vmf->vma, vmf->address) ? VM_FAULT_OOM : VM_FAULT_FALLBACK;
}

/* The area of a file: its handler answers when nothing is mapped yet, and when a shared page is
 * written for the first time. No PTE page is held or made here, so that it can do both itself. */
static bool handle_file_fault(struct mm *mm, struct vma *v, vaddr_t address, u32 fault, int *error)
{
    struct vm_fault vmf = {.vma = v,
                           .address = address,
                           .pgoff = v->vm_pgoff + bytes_to_pages(address - v->start),
                           .flags = fault};
    vm_fault_t result = handle_huge_fault(&vmf);

    if (!(result & VM_FAULT_FALLBACK)) {
        *error = vm_fault_errno(result);
        return true;
    }
    struct pte_slot *slot = pte_offset_map(mm, address);
    pte_t pte = slot ? ptep_get(slot) : 0;

    if (slot)
        pte_unmap(slot);
    if (!pte_present(pte))
        result = do_fault(&vmf);
    else if ((v->flags & VM_SHARED) && (fault & FAULT_WRITE) && !pte_writable(pte))
        result = do_wp_shared(&vmf, vm_normal_page(v, address, pte));
    else
        return false;
    *error = vm_fault_errno(result);
    return true;
}

int handle_mm_fault(struct mm *mm, vaddr_t address, u32 fault)
{
    struct vma *v = vma_lookup(mm, address);
    int error;

    fault_stats.faults++;
    if (!v || !permitted(v, fault))
        return -EFAULT;
    address &= PAGE_MASK;
    if (v->vm_ops && handle_file_fault(mm, v, address, fault, &error))
        return error;
    return handle_pte_fault(mm, v, address, fault);
}
