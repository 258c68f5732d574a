/* Faults of file mappings: what a file's fault handler gets, gives back, and uses. */
#ifndef MM_MEMORY_H
#define MM_MEMORY_H

#include "mm/mm.h"

typedef u32 vm_fault_t;

#define VM_FAULT_OOM      BIT(0)
#define VM_FAULT_SIGBUS   BIT(1)
#define VM_FAULT_NOPAGE   BIT(8)  /* the handler has set the PTE */
#define VM_FAULT_FALLBACK BIT(11) /* no large page here: try small ones */
#define VM_FAULT_DONE_COW BIT(12) /* the private copy was filled and mapped */
#define VM_FAULT_ERROR    (VM_FAULT_OOM | VM_FAULT_SIGBUS)

struct vm_fault {
    struct vma *vma;
    vaddr_t address; /* of the page */
    u32 pgoff;       /* page of the file */
    u32 flags;       /* FAULT_* */
    struct page *page, *cow_page;
};

struct vm_operations {
    vm_fault_t (*fault)(struct vm_fault *vmf);
    vm_fault_t (*huge_fault)(struct vm_fault *vmf);   /* nothing is mapped in the PMD's range */
    vm_fault_t (*page_mkwrite)(struct vm_fault *vmf); /* a read-only page of the page cache */
    vm_fault_t (*pfn_mkwrite)(struct vm_fault *vmf);  /* a read-only frame that is no page */
};

/* Nothing is mapped yet at vmf->address. */
vm_fault_t do_fault(struct vm_fault *vmf);
/* A write to what a shared area maps read-only; `page` as vm_normal_page says. */
vm_fault_t do_wp_shared(struct vm_fault *vmf, struct page *page);

/* Maps vmf->cow_page or vmf->page and counts it. */
vm_fault_t finish_fault(struct vm_fault *vmf);
/* Makes the PTE writable and dirty where it is. */
vm_fault_t finish_mkwrite_fault(struct vm_fault *vmf);

/* Maps a frame that is no page: special, neither counted nor referenced. If something is mapped
 * already it stays; mkwrite makes it writable if it is the same frame. */
vm_fault_t vmf_insert_mixed(struct vma *v, vaddr_t address, pfn_t pfn);
vm_fault_t vmf_insert_mixed_mkwrite(struct vma *v, vaddr_t address, pfn_t pfn);

#endif
