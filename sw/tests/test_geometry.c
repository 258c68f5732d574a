/* Sources: mm/geometry.c
 *
 * Levels, shifts and table sizes of every VA size and granule against the specification's table. */
#include "check.h"
#include "errno.h"
#include "geometry.h"
#include <string.h>

/* Level and entries of the first table by VA bits, for 4K, 16K, 64K; level -1: no such geometry. */
struct first_table {
    u8 va_bits;
    struct {
        signed char level;
        u32 entries;
    } granule[3];
};

/* The table of specification 3.3, of entries of 64 bits. */
static const struct first_table spec[] = {
    {48, {{0, 512}, {0, 2}, {1, 64}}},    {47, {{0, 256}, {1, 2048}, {1, 32}}},
    {46, {{0, 128}, {1, 1024}, {1, 16}}}, {45, {{0, 64}, {1, 512}, {1, 8}}},
    {44, {{0, 32}, {1, 256}, {1, 4}}},    {43, {{0, 16}, {1, 128}, {1, 2}}},
    {42, {{0, 8}, {1, 64}, {2, 8192}}},   {41, {{0, 4}, {1, 32}, {2, 4096}}},
    {40, {{0, 2}, {1, 16}, {2, 2048}}},   {39, {{1, 512}, {1, 8}, {2, 1024}}},
    {38, {{1, 256}, {1, 4}, {2, 512}}},   {37, {{1, 128}, {1, 2}, {2, 256}}},
    {36, {{1, 64}, {2, 2048}, {2, 128}}}, {35, {{1, 32}, {2, 1024}, {2, 64}}},
    {34, {{1, 16}, {2, 512}, {2, 32}}},   {33, {{1, 8}, {2, 256}, {2, 16}}},
    {32, {{1, 4}, {2, 128}, {2, 8}}},     {31, {{1, 2}, {2, 64}, {2, 4}}},
    {30, {{2, 512}, {2, 32}, {2, 2}}},    {29, {{2, 256}, {2, 16}, {3, 8192}}},
    {28, {{2, 128}, {2, 8}, {3, 4096}}},  {27, {{2, 64}, {2, 4}, {3, 2048}}},
    {26, {{2, 32}, {2, 2}, {3, 1024}}},   {25, {{2, 16}, {3, 2048}, {3, 512}}},
    {24, {{2, 8}, {3, 1024}, {3, 256}}},  {23, {{2, 4}, {3, 512}, {3, 128}}},
    {22, {{2, 2}, {3, 256}, {3, 64}}},    {21, {{3, 512}, {3, 128}, {3, 32}}},
    {20, {{3, 256}, {3, 64}, {3, 16}}},   {19, {{3, 128}, {3, 32}, {3, 8}}},
    {18, {{3, 64}, {3, 16}, {3, 4}}},     {17, {{3, 32}, {3, 8}, {3, 2}}},
    {16, {{3, 16}, {3, 4}, {-1, 0}}},
};

/* That of 10.2, of entries of 128 bits. */
static const struct first_table spec_wide[] = {
    {48, {{-1, 16}, {0, 16}, {1, 256}}},  {44, {{0, 256}, {1, 1024}, {1, 16}}},
    {43, {{0, 128}, {1, 512}, {1, 8}}},   {41, {{0, 32}, {1, 128}, {1, 2}}},
    {40, {{0, 16}, {1, 64}, {2, 4096}}},  {37, {{0, 2}, {1, 8}, {2, 512}}},
    {36, {{1, 256}, {1, 4}, {2, 256}}},   {34, {{1, 64}, {2, 1024}, {2, 64}}},
    {32, {{1, 16}, {2, 256}, {2, 16}}},   {31, {{1, 8}, {2, 128}, {2, 8}}},
    {30, {{1, 4}, {2, 64}, {2, 4}}},      {29, {{1, 2}, {2, 32}, {2, 2}}},
    {28, {{2, 256}, {2, 16}, {3, 4096}}}, {25, {{2, 32}, {2, 2}, {3, 512}}},
    {24, {{2, 16}, {3, 1024}, {3, 256}}}, {20, {{3, 256}, {3, 64}, {3, 16}}},
    {17, {{3, 32}, {3, 8}, {3, 2}}},
};

static void check_first_tables(const struct first_table *row, u32 rows, unsigned entry_shift)
{
    for (; rows > 0; rows--, row++) {
        for (unsigned n = 0; n < NR_GRANULES; n++) {
            struct geometry g;
            int error = geometry_init(&g, GRANULE_SHIFT(n), entry_shift, row->va_bits);

            CHECK(error == (row->granule[n].level < 0 ? -EINVAL : 0));
            if (error)
                continue;
            CHECK(g.start_level == row->granule[n].level && g.entry_shift == entry_shift);
            CHECK(geometry_levels(&g) == 4u - g.start_level);
            CHECK(geometry_root_entries(&g) == row->granule[n].entries);
            CHECK(geometry_entries(&g) == 1u << (GRANULE_SHIFT(n) - entry_shift));
        }
    }
}

TEST(first_tables)
{
    check_first_tables(spec, ARRAY_SIZE(spec), ENTRY_64);
    check_first_tables(spec_wide, ARRAY_SIZE(spec_wide), ENTRY_128);
}

/* An image of one page size has the same geometry, made by the compiler. */
TEST(constants_are_the_same)
{
    static const struct geometry folded[] = {GEOMETRY(12, 3, 31), GEOMETRY(14, 3, 31),
                                             GEOMETRY(16, 3, 31), GEOMETRY(12, 3, 48),
                                             GEOMETRY(14, 3, 48), GEOMETRY(16, 3, 28),
                                             GEOMETRY(14, 3, 25), GEOMETRY(12, 4, 31),
                                             GEOMETRY(14, 4, 31), GEOMETRY(16, 4, 31),
                                             GEOMETRY(12, 4, 44), GEOMETRY(16, 4, 28)};

    for (u32 i = 0; i < ARRAY_SIZE(folded); i++) {
        struct geometry g = {0};

        geometry_init(&g, folded[i].page_shift, folded[i].entry_shift, folded[i].va_bits);
        CHECK(memcmp(&g, &folded[i], sizeof g) == 0);
    }
}

TEST(rejects_impossible_sizes)
{
    struct geometry g;

    CHECK(geometry_init(&g, 13, ENTRY_64, 31) == -EINVAL);
    CHECK(geometry_init(&g, 0, ENTRY_64, 31) == -EINVAL);
    CHECK(geometry_init(&g, 12, ENTRY_64, 15) == -EINVAL);
    CHECK(geometry_init(&g, 16, ENTRY_64, 16) == -EINVAL);
    CHECK(geometry_init(&g, 12, ENTRY_64, 49) == -EINVAL);
    CHECK(geometry_init(&g, 12, 2, 31) == -EINVAL && geometry_init(&g, 12, 5, 31) == -EINVAL);
    CHECK(geometry_init(&g, 12, ENTRY_128, 45) == -EINVAL); /* would begin at level -1 */
}

/* Index of a 64-bit `va` as the architecture defines it. */
static u32 index64(const struct geometry *g, unsigned level, u64 va)
{
    return (u32)(va >> g->shift[level]) & g->mask[level];
}

/* The indexes of all levels and the page offset put together give the address back. */
TEST(indexes_cover_the_address)
{
    for (unsigned size = 0; size < 6; size++) {
        unsigned shift = GRANULE_SHIFT(size / 2);

        for (unsigned va_bits = 25; va_bits <= 31; va_bits++) {
            struct geometry g;

            CHECK(geometry_init(&g, shift, ENTRY_64 + size % 2, va_bits) == 0);
            for (unsigned n = 0; n < 100; n++) {
                vaddr_t va = pseudo_random() & ((1u << va_bits) - 1), built = 0;

                for (unsigned level = g.start_level; level <= LEAF_LEVEL; level++) {
                    CHECK(geometry_index(&g, level, va) == index64(&g, level, va));
                    built |= geometry_index(&g, level, va) << geometry_shift(&g, level);
                }
                CHECK((built | (va & ((1u << shift) - 1))) == va);
            }
        }
    }
}

TEST(blocks_and_encodings)
{
    static const u8 tg0[] = {0, 2, 1}, tg1[] = {2, 1, 3}, tlbi[] = {1, 2, 3};
    struct geometry g;

    for (unsigned i = 0; i < 3; i++) {
        CHECK(geometry_init(&g, GRANULE_SHIFT(i), ENTRY_64, 31) == 0);
        CHECK(geometry_tg0(&g) == tg0[i] && geometry_tg1(&g) == tg1[i]);
        CHECK(geometry_tlbi_tg(&g) == tlbi[i]);
        CHECK(geometry_has_blocks(&g, 1) == (i == 0) && geometry_has_blocks(&g, 2));
        CHECK(!geometry_has_blocks(&g, 0) && !geometry_has_blocks(&g, 3));
        CHECK(geometry_init(&g, GRANULE_SHIFT(i), ENTRY_128, 31) == 0);
        CHECK(geometry_has_blocks(&g, 0) == (i == 0) && geometry_has_blocks(&g, 1));
        CHECK(geometry_has_blocks(&g, 2) && !geometry_has_blocks(&g, 3));
    }
}
