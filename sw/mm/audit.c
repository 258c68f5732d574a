#include "mm/audit.h"
#include "lib/printf.h"
#include "mm/highmem.h"
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

static void audit_pte(struct mm_audit *a, vaddr_t va, pte_t pte)
{
    pfn_t pfn = paddr_to_pfn(pte_paddr(pte));
    struct page *page = pfn_to_page(pfn);
    bool zero = is_zero_pfn(pfn);

    a->ptes++;
    a->zero_ptes += zero;
    if (zero != pte_special(pte))
        violation(a, "special bit and zero page disagree", va, pte);
    if (zero && pte_writable(pte))
        violation(a, "writable mapping of a zero page", va, pte);
    if (zero && pfn != my_zero_pfn(va))
        violation(a, "zero page of the wrong colour", va, pte);
    if (!page || (!zero && (page->refcount < 1 || page->flags)))
        violation(a, "mapping of a page that is not in use", va, pte);
    if (!page)
        return;
    const u32 *word = kmap(page);

    mix(a, va);
    mix(a, (u32)(pte & ~PTE_ADDR_MASK));
    mix(a, (u32)((pte & ~PTE_ADDR_MASK) >> 32));
    mix(a, *word);
    kunmap(page);
}

/* Tables are mostly empty: look at four entries at once. Every table has a multiple of four. */
static void audit_ptes(struct mm_audit *a, const pte_t *table, u32 entries, vaddr_t va)
{
    for (u32 i = 0; i < entries; i += 4) {
        const volatile u32 *low = (const volatile u32 *)(table + i);

        if (!((low[0] | low[2] | low[4] | low[6]) & PTE_VALID))
            continue;
        for (u32 n = i; n < i + 4; n++)
            if (pte_present(pte_get(table + n)))
                audit_pte(a, va + (n << PAGE_SHIFT), pte_get(table + n));
    }
}

static void audit_pte_page(struct mm_audit *a, struct page *page, vaddr_t va)
{
    if (page_is_high(page))
        a->pte_pages_high++;
    else
        a->pte_pages_low++;
    if (page_is_high(page) && !(__userpte_alloc_gfp & __GFP_HIGHMEM))
        violation(a, "PTE page in highmem in spite of nohigh", va, page_to_paddr(page));
    audit_ptes(a, kmap(page), geometry_entries(geo), va);
    kunmap(page);
}

/* At most four levels deep. */
static void audit_table(struct mm_audit *a, const pte_t *table, unsigned level, u32 entries,
                        vaddr_t va)
{
    for (u32 i = 0; i < entries; i++, va += 1u << geometry_shift(geo, level)) {
        pte_t entry = pte_get(table + i);
        struct page *page = pfn_to_page(paddr_to_pfn(pte_paddr(entry)));

        if (!pte_present(entry))
            continue;
        if (!pte_is_table(entry) || !page || !(page->flags & PG_TABLE)) {
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
    if (a.ptes - a.zero_ptes != mm->anon_rss)
        violation(&a, "RSS differs from the pages that are mapped", 0, mm->anon_rss);
    if (a.pte_pages_low + a.pte_pages_high + a.upper_tables != mm->nr_tables)
        violation(&a, "count of tables differs from the tables", 0, mm->nr_tables);
    return a;
}
