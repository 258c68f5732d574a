/* Sources: mm/zero_order.c
 *
 * How many zero pages each policy gives: the tables of linux-mm 2.1 and 2.3. */
#include "check.h"
#include "mm/zero_order.h"

#define MAX_ORDER 10

static struct cache_geometry cache(u32 kib, u32 ways)
{
    return (struct cache_geometry){kib * 1024 / ways / 64, ways, 64};
}

static u32 pages(enum zero_policy policy, struct cache_geometry c, unsigned shift)
{
    return 1u << zero_page_order(policy, &c, shift, 1 << 20, MAX_ORDER);
}

static void way_and_total(void)
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

static void s390_cap(void)
{
    static const struct {
        u32 mib, order;
    } rows[] = {{4, 2}, {16, 2}, {32, 3}, {64, 4}, {128, 5}, {256, 6}, {512, 7}, {4096, 7}};
    struct cache_geometry c = cache(32, 8);

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
        CHECK(zero_page_order(ZP_S390, &c, 12, rows[i].mib * 256, MAX_ORDER) == rows[i].order);
}

/* A register that reads zero or nonsense gives one page; no order exceeds the allocator's. */
static void odd_geometries(void)
{
    struct cache_geometry none = {0, 0, 0}, odd = {96, 3, 64}, huge = cache(64 * 1024, 1);

    CHECK(pages(ZP_WAY, none, 12) == 1 && pages(ZP_TOTAL, none, 12) == 1);
    CHECK(pages(ZP_WAY, odd, 12) == 1 && pages(ZP_TOTAL, odd, 12) == 1);
    CHECK(cache_colours(&none, 12) == 1 && cache_colours(&odd, 12) == 1);
    CHECK(zero_page_order(ZP_TOTAL, &huge, 12, 1 << 20, MAX_ORDER) == MAX_ORDER);
    CHECK(zero_page_order(ZP_WAY, &huge, 12, 1 << 20, 3) == 3);
}

int main(void)
{
    way_and_total();
    s390_cap();
    odd_geometries();
    return finish();
}
