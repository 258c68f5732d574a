#include "mm/zero_page.h"
#include "lib/printf.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

u32 zero_page_mask;
pfn_t zero_pfn;

/* Zero blocks by order, so that a policy that comes back finds its pages again. */
static struct page *blocks[MAX_ORDER + 1];

static struct page *zero_block(unsigned order)
{
    struct page *page = alloc_pages(GFP_KERNEL | __GFP_ZERO, order);

    if (!page)
        return NULL;
    split_page(page, order);
    for (u32 i = 0; i < 1u << order; i++)
        set_page_reserved(page + i);
    blocks[order] = page;
    return page;
}

void setup_zero_pages(enum zero_policy policy, const struct cache_geometry *cache)
{
    u32 total_pages = zones[ZONE_LOW].pages + zones[ZONE_HIGH].pages;
    unsigned order = zero_page_order(policy, cache, PAGE_SHIFT, total_pages, MAX_ORDER);
    struct page *page;

    while (!(page = blocks[order] ? blocks[order] : zero_block(order))) {
        if (policy != ZP_TOTAL || order == 0)
            panic("setup_zero_pages: no memory for %u zero pages", 1u << order);
        order--;
    }
    zero_page_mask = ((PAGE_SIZE << order) - 1) & PAGE_MASK;
    zero_pfn = page_to_pfn(page);
    BUG_ON(page_to_paddr(page) & zero_page_mask);
}

void zero_pages_switch(enum zero_policy policy, const struct cache_geometry *cache)
{
    BUG_ON(nr_pagetable); /* some table may map the pages of now */
    setup_zero_pages(policy, cache);
}

bool zero_pages_clean(void)
{
    for (unsigned order = 0; order <= MAX_ORDER; order++) {
        if (!blocks[order])
            continue;
        const u32 *word = lowmem_address(blocks[order]);

        for (u32 i = 0; i < PAGE_SIZE << order >> 2; i++)
            if (word[i])
                return false;
    }
    return true;
}
