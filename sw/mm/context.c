/* Address spaces: who uses them, and which one the MMU has. */
#include "drivers/mmu.h"
#include "lib/string.h"
#include "mm/asid.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/mm.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/tlb.h"
#include "panic.h"

struct mm *current_mm;

struct mm all_mms[NR_MMS];
static struct mm reserved_mm; /* no user mapping at all, ASID 0 */

/* Roots can be far smaller than a page; only what the walker reads is cleared. */
static bool root_alloc(struct mm *mm)
{
    struct page *page = alloc_page(GFP_KERNEL);

    if (!page)
        return false;
    mm->root = lowmem_address(page);
    memset(mm->root, 0, entries_to_bytes(geometry_root_entries(&user_geometry)));
    return true;
}

void mm_init_reserved(void)
{
    BUG_ON(!root_alloc(&reserved_mm));
    memset(reserved_mm.root, 0, PAGE_SIZE); /* empty at any page size: mm/sized_mm.c */
    mm_switch(NULL);
}

struct mm *mm_alloc(void)
{
    for (struct mm *mm = all_mms; mm < all_mms + NR_MMS; mm++) {
        if (mm->users)
            continue;
        *mm = (struct mm){0};
        if (!root_alloc(mm))
            return NULL;
        asid_born(mm);
        mm->users = 1;
        return mm;
    }
    return NULL;
}

void mmget(struct mm *mm)
{
    BUG_ON(!mm->users);
    mm->users++;
}

static void exit_mmap(struct mm *mm)
{
    struct mmu_gather tlb;

    tlb_gather_mmu_fullmm(&tlb, mm);
    for (struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        if (v->flags)
            unmap_page_range(&tlb, v, v->start, v->end);
    free_all_pgtables(&tlb);
    tlb_finish_mmu(&tlb);
    for (struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        if (v->flags)
            vma_unlink_file(v);
    mm_put_huge_zero_folio(mm);
    BUG_ON(mm->anon_rss || mm->file_rss || mm->nr_tables);
    put_page(pfn_to_page(paddr_to_pfn(kernel_va(mm->root))));
}

void mmput(struct mm *mm)
{
    BUG_ON(!mm->users);
    if (mm->users == 1) {
        if (mm == current_mm)
            mm_switch(NULL);
        exit_mmap(mm);
    }
    mm->users--;
}

void mm_switch(struct mm *mm)
{
    const struct mm *next = mm ? mm : &reserved_mm;

    if (mm)
        asid_runs(mm);
    current_mm = mm;
    mmu_set_user_table(kernel_va(next->root), next->asid);
}
