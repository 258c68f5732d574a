#include "mm/audit.h"
#include "lib/printf.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/pgtable.h"
#include "mm/zero_page.h"

static const struct geometry *const geo = &user_geometry;

static void violation(struct mm_audit *a, const char *what, vaddr_t va, u64 value)
{
    a->violations++;
    kprintf("AUDIT: %s: va 0x%08x, descriptor 0x%016llx\n", what, va, (unsigned long long)value);
}

static void mix(struct mm_audit *a, u32 word) /* FNV-1a over words */
{
    a->digest = (a->digest ^ word) * 16777619u;
}

static void audit_zero_pte(struct mm_audit *a, vaddr_t va, pte_t pte)
{
    a->zero_ptes++;
    if (!pte_special(pte))
        violation(a, "zero page that is not special", va, pte);
    if (pte_writable(pte))
        violation(a, "writable mapping of a zero page", va, pte);
    if (pte_pfn(pte) != my_zero_pfn(va))
        violation(a, "zero page of the wrong colour", va, pte);
}

/* Memory that the page allocator does not give out, like the storage behind a file. */
static void audit_special_pte(struct mm_audit *a, vaddr_t va, pte_t pte, const struct page *page)
{
    a->special_ptes++;
    if (page && !(page->flags & PG_RESERVED))
        violation(a, "special mapping of a page of the allocator", va, pte);
}

static void audit_normal_pte(struct mm_audit *a, vaddr_t va, pte_t pte, const struct page *page)
{
    if (!page || page->refcount < 1 || page->flags & ~PG_FILE)
        violation(a, "mapping of a page that is not in use", va, pte);
}

static void audit_pte(struct mm_audit *a, vaddr_t va, pte_t pte)
{
    struct page *page = pfn_to_page(pte_pfn(pte));

    a->ptes++;
    if (is_zero_pfn(pte_pfn(pte)))
        audit_zero_pte(a, va, pte);
    else if (pte_special(pte))
        audit_special_pte(a, va, pte, page);
    else
        audit_normal_pte(a, va, pte, page);
    mix(a, va);
    mix(a, (u32)(pte & ~PTE_ADDR_MASK));
    mix(a, (u32)((pte & ~PTE_ADDR_MASK) >> 32));
    if (!page)
        return;
    /* Not kmap: looking must not use up slots of the pool, whose sweeps are measured. */
    const u32 *word = kmap_local_page(page);

    mix(a, *word);
    kunmap_local(word);
}

static void audit_ptes(struct mm_audit *a, struct pte_slot *slot, u32 entries, vaddr_t va)
{
    for (; entries--; slot = ptep_next(slot), va += PAGE_SIZE)
        if (ptep_present(slot))
            audit_pte(a, va, ptep_get(slot));
}

static void audit_pte_page(struct mm_audit *a, struct page *page, vaddr_t va)
{
    if (page_is_high(page))
        a->pte_pages_high++;
    else
        a->pte_pages_low++;
    if (page_is_high(page) && !(__userpte_alloc_gfp & __GFP_HIGHMEM))
        violation(a, "PTE page in highmem in spite of nohigh", va, page_to_paddr(page));
    struct pte_slot *table = kmap_local_page(page);

    audit_ptes(a, table, geometry_entries(geo), va);
    kunmap_local(table);
}

static void audit_block(struct mm_audit *a, vaddr_t va, pte_t entry)
{
    a->blocks++;
    if (!is_huge_zero_pfn(pte_pfn(entry)) || !pte_special(entry) || pte_writable(entry))
        violation(a, "block that is no read-only zero page", va, entry);
}

/* At most four levels deep. */
static void audit_table(struct mm_audit *a, struct pte_slot *table, unsigned level, u32 entries,
                        vaddr_t va)
{
    for (u32 i = 0; i < entries; i++, va += 1u << geometry_shift(geo, level)) {
        pte_t entry = ptep_get(ptep_add(table, i));
        struct page *page = pfn_to_page(pte_pfn(entry));

        if (!pte_present(entry))
            continue;
        if (level == LEAF_LEVEL - 1 && pmd_leaf(entry)) {
            audit_block(a, va, entry);
        } else if (!pte_is_table(entry) || !page || !(page->flags & PG_TABLE)) {
            violation(a, "entry that is no table", va, entry);
        } else if (level == LEAF_LEVEL - 1) {
            audit_pte_page(a, page, va);
        } else {
            a->upper_tables++;
            if (page_is_high(page))
                violation(a, "upper table in highmem", va, entry);
            audit_table(a, lowmem_address(page), level + 1, geometry_entries(geo), va);
        }
    }
}

struct mm_audit mm_audit(struct mm *mm)
{
    struct mm_audit a = {.digest = 2166136261u};
    u32 root_entries = geometry_root_entries(geo);

    if (geo->start_level == LEAF_LEVEL)
        audit_ptes(&a, mm->root, root_entries, 0);
    else
        audit_table(&a, mm->root, geo->start_level, root_entries, 0);
    if (a.ptes - a.zero_ptes - a.special_ptes != mm->anon_rss + mm->file_rss)
        violation(&a, "RSS differs from the pages that are mapped", 0, mm->anon_rss + mm->file_rss);
    if (a.pte_pages_low + a.pte_pages_high + a.upper_tables != mm->nr_tables)
        violation(&a, "count of tables differs from the tables", 0, mm->nr_tables);
    return a;
}
