/* Sources: mm/zero_page.c mm/zero_order.c mm/page_alloc.c mm/page_size.c mm/geometry.c
 *
 * How many zero pages each policy gives: the tables of linux-mm 2.1 and 2.3. setup_zero_pages:
 * alignment, the range test, and what happens when memory is short. */
#include "check.h"
#include "mm/zero_order.h"
#include "mm/zero_page.h"
#include <string.h>

#define LOW_PFN   0x80000u
#define LOW_PAGES 64u

static struct page map[LOW_PAGES];
static const struct cache_geometry two_way = {256, 2, 64}; /* 32 KiB, ways of 16 KiB */

u32 nr_pagetable;

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

/* Blocks that were found are kept, so the largest failure comes first. */
TEST(memory_is_short)
{
    boot(0);
    CHECK(PANICS(setup_zero_pages(ZP_WAY, &two_way))); /* four pages in one block, or nothing */
    CHECK(strstr(panic_message, "setup_zero_pages: no memory for 4 zero pages"));
    boot(0);
    while (alloc_page(GFP_KERNEL))
        ;
    CHECK(PANICS(setup_zero_pages(ZP_TOTAL, &two_way))); /* not even one */
    CHECK(strstr(panic_message, "setup_zero_pages: no memory for 1 zero pages"));
    boot(1);
    setup_zero_pages(ZP_TOTAL, &two_way); /* falls back from eight to two */
    check_block(2);
    boot(3);
    setup_zero_pages(ZP_WAY, &two_way);
    check_block(4);
    setup_zero_pages(ZP_TOTAL, &two_way);
    check_block(8);
}

/* ---- policies ---- */
static struct cache_geometry cache(u32 kib, u32 ways)
{
    return (struct cache_geometry){kib * 1024 / ways / 64, ways, 64};
}

static u32 pages(enum zero_policy policy, struct cache_geometry c, unsigned shift)
{
    return 1u << zero_page_order(policy, &c, shift, 1 << 20, MAX_ORDER);
}

TEST(way_and_total)
{
    static const struct {
        u32 kib, ways, way[3], total[3]; /* at 4K, 16K, 64K */
    } rows[] = {
        {32, 8, {1, 1, 1}, {8, 2, 1}},  {32, 4, {2, 1, 1}, {8, 2, 1}},
        {32, 2, {4, 1, 1}, {8, 2, 1}},  {32, 1, {8, 2, 1}, {8, 2, 1}},
        {64, 4, {4, 1, 1}, {16, 4, 1}}, {128, 8, {4, 1, 1}, {32, 8, 2}},
    };

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
        for (u32 g = 0; g < 3; g++) {
            struct cache_geometry c = cache(rows[i].kib, rows[i].ways);
            unsigned shift = 12 + 2 * g;

            CHECK(pages(ZP_WAY, c, shift) == rows[i].way[g]);
            CHECK(pages(ZP_TOTAL, c, shift) == rows[i].total[g]);
            CHECK(pages(ZP_SINGLE, c, shift) == 1);
            CHECK(pages(ZP_VCE, c, shift) == 8);
            CHECK(cache_colours(&c, shift) == rows[i].way[g]);
            CHECK(cache_bytes(&c) == rows[i].kib * 1024);
        }
    }
}

TEST(s390_cap)
{
    static const struct {
        u32 mib, order;
    } rows[] = {{4, 2}, {16, 2}, {32, 3}, {64, 4}, {128, 5}, {256, 6}, {512, 7}, {4096, 7}};
    struct cache_geometry c = cache(32, 8);

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
        CHECK(zero_page_order(ZP_S390, &c, 12, rows[i].mib * 256, MAX_ORDER) == rows[i].order);
}

/* A register that reads zero or nonsense gives one page; no order exceeds the allocator's. */
TEST(odd_geometries)
{
    struct cache_geometry none = {0, 0, 0}, odd = {96, 3, 64}, huge = cache(64 * 1024, 1);

    CHECK(pages(ZP_WAY, none, 12) == 1 && pages(ZP_TOTAL, none, 12) == 1);
    CHECK(pages(ZP_WAY, odd, 12) == 1 && pages(ZP_TOTAL, odd, 12) == 1);
    CHECK(cache_colours(&none, 12) == 1 && cache_colours(&odd, 12) == 1);
    CHECK(zero_page_order(ZP_TOTAL, &huge, 12, 1 << 20, MAX_ORDER) == MAX_ORDER);
    CHECK(zero_page_order(ZP_WAY, &huge, 12, 1 << 20, 3) == 3);
}
