/* Reads of a hole by blocks: one fault and one entry for all pages of a PTE page. Wherever that is
 * not possible the answer is FALLBACK, and pages are used. */
#include "errno.h"
#include "fs/dax_index.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/huge_memory.h"
#include "mm/zero_page.h"

bool dax_huge;

static int setup_dax_huge(char *arg)
{
    if (!arg || (strcmp(arg, "always") != 0 && strcmp(arg, "never") != 0)) {
        kprintf("dax_huge='%s' is neither always nor never\n", arg ? arg : "");
        return -EINVAL;
    }
    dax_huge = arg[0] == 'a';
    return 0;
}
early_param("dax_huge", setup_dax_huge);

/* What has to be so before the index is asked. */
static bool must_fall_back(const struct vm_fault *vmf)
{
    const struct vma *v = vmf->vma;
    vaddr_t start = vmf->address & HPAGE_PMD_MASK;
    u32 colour = HPAGE_PMD_NR - 1, first = vmf->pgoff & ~colour;
    const struct inode *inode = v->vm_file;

    if (!dax_huge || dax_hole_method != DAX_HOLE_ZERO_PAGE || USER_START_LEVEL == LEAF_LEVEL)
        return true;
    if (vmf->flags & FAULT_WRITE) /* storage comes in pages, and so do private copies */
        return true;
    if ((vmf->pgoff & colour) != (vmf->address >> PAGE_SHIFT & colour))
        return true; /* address and place in the file do not fit */
    if (start < v->start || v->end - start < HPAGE_PMD_SIZE)
        return true; /* the area is too small */
    if (first + HPAGE_PMD_NR > inode_pages(inode))
        return true; /* the file is too small */
    return xa_find((struct xarray *)&inode->i_blocks, &first, first + colour) != NULL;
}

static vm_fault_t dax_pmd_load_hole(struct xa_state *xas, struct vm_fault *vmf, void *entry)
{
    struct page *zero = mm_get_huge_zero_folio(vmf->vma->vm_mm);

    if (!zero)
        return VM_FAULT_FALLBACK;
    dax_insert_entry(xas, &vmf->vma->vm_file->i_mapping, entry, page_to_pfn(zero),
                     DAX_PMD | DAX_ZERO_PAGE, false);
    return vmf_insert_huge_zero(vmf->vma, vmf->address, zero);
}

vm_fault_t dax_iomap_pmd_fault(struct vm_fault *vmf)
{
    struct address_space *mapping = &vmf->vma->vm_file->i_mapping;
    XA_STATE(xas, &mapping->i_pages, vmf->pgoff & ~(HPAGE_PMD_NR - 1));
    void *entry;

    if (must_fall_back(vmf))
        return VM_FAULT_FALLBACK;
    int error = grab_pmd_entry(&xas, mapping, &entry);

    if (error)
        return error == -ENOMEM ? VM_FAULT_OOM
               : error == -EIO  ? VM_FAULT_SIGBUS
                                : VM_FAULT_FALLBACK;
    vm_fault_t result = dax_pmd_load_hole(&xas, vmf, entry);

    dax_unlock_entry(&xas);
    return result;
}
