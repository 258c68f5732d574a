#include "mm/huge_memory.h"
#include "errno.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"

struct huge_zero_stats huge_zero_stats;

static struct page *huge_zero_page;

/* ---- the page ---- */
static unsigned huge_order(void)
{
    return log2_floor(HPAGE_PMD_NR);
}

static bool get_huge_zero_page(void)
{
    if (huge_zero_page) {
        huge_zero_stats.refcount++;
        return true;
    }
    huge_zero_page = alloc_pages(GFP_HIGHUSER | __GFP_ZERO, huge_order());
    if (!huge_zero_page) {
        huge_zero_stats.failures++;
        return false;
    }
    pfn_t pfn = page_to_pfn(huge_zero_page);

    reserve_range(pfn, pfn + HPAGE_PMD_NR);
    huge_zero_stats.allocations++;
    huge_zero_stats.refcount = 2; /* the caller's and the shrinker's */
    return true;
}

struct page *mm_get_huge_zero_folio(struct mm *mm)
{
    if (!mm->huge_zero)
        mm->huge_zero = get_huge_zero_page();
    return mm->huge_zero ? huge_zero_page : NULL;
}

void mm_put_huge_zero_folio(struct mm *mm)
{
    if (!mm->huge_zero)
        return;
    mm->huge_zero = false;
    BUG_ON(--huge_zero_stats.refcount == 0);
}

u32 shrink_huge_zero_page(void)
{
    if (huge_zero_stats.refcount != 1)
        return 0;
    for (u32 i = 0; i < HPAGE_PMD_NR; i++)
        huge_zero_page[i].flags = 0;
    free_pages(huge_zero_page, huge_order());
    huge_zero_page = NULL;
    huge_zero_stats.refcount = 0;
    return HPAGE_PMD_NR;
}

bool is_huge_zero_pfn(pfn_t pfn)
{
    return huge_zero_page && pfn == page_to_pfn(huge_zero_page);
}

/* ---- blocks ---- */
vm_fault_t vmf_insert_huge_zero(struct vma *v, vaddr_t address, struct page *page)
{
    struct pte_slot *pmd = pmd_alloc(v->vm_mm, address);

    if (!pmd)
        return VM_FAULT_OOM;
    if (ptep_present(pmd))
        return VM_FAULT_FALLBACK;
    u64 prot = (v->flags & VM_EXEC ? PROT_USER_RX : PROT_USER_RO) & ~PTE_TYPE;

    set_pte(pmd, mk_pte(page, prot | pte_block(LEAF_LEVEL - 1) | PTE_SPECIAL));
    return VM_FAULT_NOPAGE;
}

int split_huge_pmd(struct vma *v, vaddr_t address)
{
    struct pte_slot *pmd = pmd_offset(v->vm_mm, address), *base, *slot;
    struct page *table = pte_alloc_one(v->vm_mm);
    u64 prot = (v->flags & VM_EXEC ? PROT_USER_RX : PROT_USER_RO) | PTE_SPECIAL;

    if (!table)
        return -ENOMEM;
    BUG_ON(!pmd_leaf(ptep_get(pmd)) || !is_huge_zero_pfn(pte_pfn(ptep_get(pmd))));
    address &= HPAGE_PMD_MASK;
    base = slot = kmap_local_page(table);
    for (u32 i = 0; i < HPAGE_PMD_NR; i++, slot = ptep_next(slot))
        set_pte(slot, pfn_pte(my_zero_pfn(address + (i << PAGE_SHIFT)), prot));
    kunmap_local(base);
    pte_clear(pmd); /* break before make; the block is no leaf of the last level */
    flush_tlb_range(v->vm_mm, address, address + HPAGE_PMD_SIZE, true);
    set_pte(pmd, page_to_paddr(table) | PTE_TABLE);
    return 0;
}

void zap_huge_pmd(struct mmu_gather *tlb, vaddr_t address)
{
    struct pte_slot *pmd = pmd_offset(tlb->mm, address);

    if (!pmd || !pmd_leaf(ptep_get(pmd)))
        return;
    BUG_ON(!is_huge_zero_pfn(pte_pfn(ptep_get(pmd))));
    pte_clear(pmd);
    address &= HPAGE_PMD_MASK;
    tlb_remove_block(tlb, address, address + HPAGE_PMD_SIZE);
}
