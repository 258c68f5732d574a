/* Sources: mm/zero_page.c mm/zero_order.c mm/page_alloc.c mm/page_size.c mm/geometry.c
 *
 * setup_zero_pages: alignment, the range test, and what happens when memory is short. */
#include "check.h"
#include "mm/zero_page.h"
#include <string.h>

#define LOW_PFN   0x80000u
#define LOW_PAGES 64u

static struct page map[LOW_PAGES];
static const struct cache_geometry two_way = {256, 2, 64}; /* 32 KiB, ways of 16 KiB */

u32 nr_pagetable;

void clear_highpage(struct page *page)
{
    (void)page;
}

/* Memory whose largest free block has `order`. */
static void boot(unsigned order)
{
    kernel_geometry.page_shift = 12;
    memset(map, 0, sizeof map);
    page_alloc_init(map, LOW_PFN, LOW_PAGES, 0x100000, 0);
    for (u32 at = 0; at < LOW_PAGES; at += 2u << order) {
        free_range(LOW_PFN + at, LOW_PFN + at + (1u << order));
        reserve_range(LOW_PFN + at + (1u << order), LOW_PFN + at + (2u << order));
    }
}

static void check_block(u32 colours)
{
    CHECK(zero_colours() == colours && (zero_pfn & (colours - 1)) == 0);
    for (u32 i = 0; i < colours; i++) {
        struct page *page = ZERO_PAGE(i << 12);

        CHECK(page_to_pfn(page) == zero_pfn + i && is_zero_pfn(zero_pfn + i));
        CHECK((page->flags & PG_RESERVED) && page->refcount == 1);
        CHECK(my_zero_pfn((i + 5 * colours) << 12) == zero_pfn + i);
    }
    CHECK(!is_zero_pfn(zero_pfn - 1) && !is_zero_pfn(zero_pfn + colours) && !is_zero_pfn(0));
}

static void way_policy(void)
{
    setup_zero_pages(ZP_WAY, &two_way);
}

static void total_policy(void)
{
    setup_zero_pages(ZP_TOTAL, &two_way);
}

/* Blocks that were found are kept, so the largest failure comes first. */
int main(void)
{
    boot(0);
    CHECK(panics(way_policy)); /* four pages in one block, or nothing */
    CHECK(strstr(panic_message, "setup_zero_pages: no memory for 4 zero pages"));
    boot(0);
    while (alloc_page(GFP_KERNEL))
        ;
    CHECK(panics(total_policy)); /* not even one */
    CHECK(strstr(panic_message, "setup_zero_pages: no memory for 1 zero pages"));
    boot(1);
    total_policy(); /* falls back from eight to two */
    check_block(2);
    boot(3);
    way_policy();
    check_block(4);
    total_policy();
    check_block(8);
    return finish();
}
