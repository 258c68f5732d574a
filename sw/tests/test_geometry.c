/* Sources: mm/geometry.c
 *
 * Levels, shifts and table sizes of every VA size and granule against the specification's table. */
#include "check.h"
#include "errno.h"
#include "geometry.h"
#include <stdio.h>
#include <string.h>

/* A table of the specification as tb/data has it: the first table of every granule and address
 * size. Those that begin above level 0, and addresses of more than 48 bits, are none of ours. */
static void check_first_tables(const char *path, unsigned entry_shift)
{
    unsigned page_shift, va_bits, low, entries, rows = 0;
    FILE *table = fopen(path, "r");
    int level;

    CHECK(table && fscanf(table, "%*[^\n]") == 0);
    while (fscanf(table, "%u,%*u,%u,%d,%*u,%u,%u%*[^\n]", &page_shift, &va_bits, &level, &low,
                  &entries) == 5) {
        struct geometry g;
        int error = geometry_init(&g, page_shift, entry_shift, va_bits);

        rows++;
        CHECK(error == (level < 0 || va_bits > 48 ? -EINVAL : 0));
        if (error)
            continue;
        CHECK(g.start_level == level && g.shift[level] == low && g.entry_shift == entry_shift);
        CHECK(geometry_levels(&g) == 4u - g.start_level);
        CHECK(geometry_root_entries(&g) == entries);
        CHECK(geometry_entries(&g) == 1u << (page_shift - entry_shift));
    }
    CHECK(rows > 100);
    fclose(table);
}

/* 3.3 and 10.2. */
TEST(first_tables)
{
    check_first_tables("tb/data/geometry_vmsa64.csv", ENTRY_64);
    check_first_tables("tb/data/geometry_d128.csv", ENTRY_128);
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
