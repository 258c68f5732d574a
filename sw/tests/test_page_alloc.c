/* Sources: mm/page_alloc.c mm/page_size.c mm/geometry.c
 *
 * The buddy allocator: alignment, zones, merging, and no frame given out twice. */
#include "check.h"
#include "mm/page.h"
#include <string.h>

#define LOW_PFN    0x80000u
#define HIGH_PFN   0x100000u
#define LOW_PAGES  4096u
#define HIGH_PAGES 3000u
#define IMAGE      77u /* reserved pages at the start of lowmem */

static struct page map[LOW_PAGES + HIGH_PAGES];
static void boot(void)
{
    kernel_geometry.page_shift = 12;
    memset(map, 0, sizeof map);
    page_alloc_init(map, LOW_PFN, LOW_PAGES, HIGH_PFN, HIGH_PAGES);
    reserve_range(LOW_PFN, LOW_PFN + IMAGE);
    free_range(LOW_PFN + IMAGE, LOW_PFN + LOW_PAGES);
    free_range(HIGH_PFN, HIGH_PFN + HIGH_PAGES);
}

TEST(frame_numbers)
{
    boot();
    CHECK(pfn_to_page(LOW_PFN) == map && page_to_pfn(map) == LOW_PFN);
    CHECK(pfn_to_page(HIGH_PFN) == map + LOW_PAGES && page_to_pfn(map + LOW_PAGES) == HIGH_PFN);
    CHECK(!pfn_to_page(LOW_PFN - 1) && !pfn_to_page(LOW_PFN + LOW_PAGES));
    CHECK(!pfn_to_page(HIGH_PFN + HIGH_PAGES) && !pfn_to_page(0));
    CHECK(pfn_to_paddr(HIGH_PFN) == 0x100000000ull && paddr_to_pfn(0x100001000ull) == HIGH_PFN + 1);
    CHECK(nr_free_pages() == LOW_PAGES - IMAGE + HIGH_PAGES);
}

/* Highmem requests fall back to lowmem; lowmem requests never get highmem. */
TEST(exhaustion)
{
    u32 high = 0, low = 0;
    struct page *page;

    boot();
    while ((page = alloc_page(GFP_HIGHUSER)) && page_is_high(page))
        high++;
    CHECK(high == HIGH_PAGES && page && zones[ZONE_HIGH].free == 0);
    for (low = 1; (page = alloc_page(GFP_KERNEL)); low++)
        CHECK(!page_is_high(page) && page_to_pfn(page) >= LOW_PFN + IMAGE);
    CHECK(low == LOW_PAGES - IMAGE && !alloc_page(GFP_HIGHUSER) && nr_free_pages() == 0);
}

TEST(misuse_panics)
{
    static struct page *page;

    boot();
    page = alloc_page(GFP_KERNEL);
    put_page(page);
    CHECK(PANICS(put_page(page)));
    CHECK(PANICS(free_pages(pfn_to_page(LOW_PFN), 0)));
}

/* Random traffic against a map of owners; at the end everything merges again. */
TEST(random_traffic)
{
    static u8 owned[LOW_PAGES + HIGH_PAGES];
    static struct {
        struct page *page;
        unsigned order;
    } held[256];
    u32 largest = 0;

    boot();
    memset(owned, 0, sizeof owned);
    for (u32 step = 0; step < 40000; step++) {
        u32 slot = pseudo_random() % ARRAY_SIZE(held);
        unsigned order = pseudo_random() % 6;

        if (held[slot].page) {
            memset(owned + (held[slot].page - map), 0, 1u << held[slot].order);
            free_pages(held[slot].page, held[slot].order);
            held[slot].page = NULL;
            continue;
        }
        struct page *page = alloc_pages(pseudo_random() & __GFP_HIGHMEM, order);

        if (!page)
            continue;
        CHECK((page_to_pfn(page) & ((1u << order) - 1)) == 0);
        for (u32 i = 0; i < 1u << order; i++) {
            CHECK(!owned[page - map + i]);
            owned[page - map + i] = 1;
        }
        held[slot].page = page;
        held[slot].order = order;
    }
    for (u32 slot = 0; slot < ARRAY_SIZE(held); slot++)
        if (held[slot].page)
            free_pages(held[slot].page, held[slot].order);
    CHECK(nr_free_pages() == LOW_PAGES - IMAGE + HIGH_PAGES);
    while (alloc_pages(GFP_KERNEL, MAX_ORDER))
        largest++;
    CHECK(largest == 3); /* of 4096 pages all but the first block, which holds the image */
}
