/* Address spaces and their ASIDs. */
#include "drivers/mmu.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/mm.h"
#include "mm/mmu_gather.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/tlb.h"
#include "panic.h"

struct mm *current_mm;

static struct mm mms[NR_MMS];
static struct mm reserved_mm; /* no user mapping at all, ASID 0 */
static u32 next_asid;

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
    mm_switch(NULL);
}

/* ASIDs are handed out in turn, those of living address spaces left out: there are far fewer than
 * ASIDs. mm_free leaves its ASID clean, so the next owner finds nothing of the one before. */
static u32 asid_alloc(void)
{
    u32 limit = BIT(mmu_asid_bits());

    for (;;) {
        if (++next_asid >= limit)
            next_asid = 1;
        bool taken = false;

        for (struct mm *mm = mms; mm < mms + NR_MMS; mm++)
            taken |= mm->used && mm->asid == next_asid;
        if (!taken)
            return next_asid;
    }
}

struct mm *mm_alloc(void)
{
    for (struct mm *mm = mms; mm < mms + NR_MMS; mm++) {
        if (mm->used)
            continue;
        *mm = (struct mm){0};
        if (!root_alloc(mm))
            return NULL;
        mm->asid = asid_alloc();
        mm->used = true;
        return mm;
    }
    return NULL;
}

void mm_free(struct mm *mm)
{
    struct mmu_gather tlb;

    if (mm == current_mm)
        mm_switch(NULL);
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
    mm->used = false;
}

void mm_switch(struct mm *mm)
{
    const struct mm *next = mm ? mm : &reserved_mm;

    current_mm = mm;
    mmu_set_user_table(kernel_va(next->root), next->asid);
}
