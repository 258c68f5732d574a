/* Sources: mm/geometry.c
 *
 * Operands of invalidations: the worked examples of the specification (9.9), and ranges of any
 * length as a sum of operations that covers exactly what was asked for. */
#include "check.h"
#include "geometry.h"
#include "mm/tlbi_operand.h"
#include "tlbi_range.h"

static struct geometry g4k, g16k, g64k;

static u64 page_operand(const struct geometry *g, u64 va, u32 asid, u32 level)
{
    u32 hint = level ? TLBI_HINT(geometry_tlbi_tg(g), level) : TLBI_NO_HINT;

    return tlbi_va_operand(va, asid, hint);
}

static u64 range_operand(const struct geometry *g, u64 va, u32 asid, u32 level, u32 num, u32 scale)
{
    u64 page = (u64)((long long)va >> g->page_shift);

    return tlbi_range_operand(page, geometry_tlbi_tg(g), asid, level, num, scale);
}

static void worked_examples(void)
{
    CHECK(page_operand(&g4k, 0x00005a5a12345000, 0x2a, 0) == 0x002a0005a5a12345);
    CHECK(page_operand(&g4k, 0x00005a5a12345000, 0x2a, 3) == 0x002a7005a5a12345);
    CHECK(page_operand(&g16k, 0x00005a5a12344000, 0x2a, 3) == 0x002ab005a5a12344);
    CHECK(page_operand(&g64k, 0x00005a5a12340000, 0x2a, 3) == 0x002af005a5a12340);
    CHECK(range_operand(&g4k, 0x00005a5a12345000, 0x2a, 3, 0, 0) == 0x002a4065a5a12345);
    CHECK(range_operand(&g4k, 0x00005a5a12345000, 0x2a, 0, 9, 1) == 0x002a5485a5a12345);
    CHECK(range_operand(&g4k, 0xffff800045600000, 0, 0, 31, 3) == 0x00007f9800045600);
    CHECK(range_operand(&g16k, 0x0000b00d13568000, 1, 3, 31, 0) == 0x00018fe2c0344d5a);
    CHECK(range_operand(&g64k, 0x0000c0dedead0000, 1, 0, 3, 2) == 0x0001e180c0dedead);
    CHECK(range_operand(&g4k, 0x0000ffffffff0000, 1, 0, 31, 3) == 0x00017f8ffffffff0);
    CHECK(range_operand(&g4k, 0xffffffffffff0000, 1, 0, 31, 3) == 0x00017f9ffffffff0);
}

/* Kernel addresses of this machine are sign-extended: bits 43:0 are VA[55:12]. */
static void kernel_addresses(void)
{
    CHECK(page_operand(&g4k, 0xfffffffff0100000, 0, 0) == 0x00000fffffff0100);
    CHECK(page_operand(&g4k, 0xfffffffff0100000, 0, 3) >> 44 == 7);
}

static u32 operations(u32 pages)
{
    u32 count = 0, covered = 0;

    while (covered < pages) {
        struct tlbi_step step = tlbi_next_step(pages - covered);

        CHECK(!step.is_range || step.pages == tlbi_range_pages(step.num, step.scale));
        CHECK(step.is_range || step.pages == 1);
        CHECK(step.num < 32 && step.scale < 4 && step.pages > 0);
        covered += step.pages;
        count++;
    }
    CHECK(covered == pages);
    return count;
}

static void splits_like_linux(void)
{
    struct tlbi_step step = tlbi_next_step(1000);

    CHECK(step.is_range && step.scale == 1 && step.num == 14);
    step = tlbi_next_step(40);
    CHECK(step.is_range && step.scale == 0 && step.num == 19);
    CHECK(operations(1) == 1 && operations(5) == 2 && operations(1000) == 2);
    CHECK(operations(1024) == 1 && operations(512) == 1 && operations(1023) == 3);
    CHECK(operations(TLBI_RANGE_MAX_PAGES) == 1 && operations(262144) == 1);
    CHECK(operations(2097151) == 5);
}

static void any_count_is_covered(void)
{
    for (u32 pages = 1; pages < 5000; pages++)
        CHECK(operations(pages) <= 5);
    for (u32 i = 0; i < 5000; i++)
        CHECK(operations(1 + pseudo_random() % TLBI_RANGE_MAX_PAGES) <= 5);
}

int main(void)
{
    geometry_init(&g4k, 12, ENTRY_64, 48);
    geometry_init(&g16k, 14, ENTRY_64, 48);
    geometry_init(&g64k, 16, ENTRY_64, 48);
    worked_examples();
    kernel_addresses();
    splits_like_linux();
    any_count_is_covered();
    return finish();
}
