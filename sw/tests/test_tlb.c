/* Sources: mm/tlb.c mm/flush_policy.c mm/geometry.c
 *
 * Which invalidations a flush becomes: exactly the pages that it names, with range operations and
 * without, everything above the ceiling, and nothing for nothing; linux-mm D.2 and D.3. */
#include "check.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "machine/machine.h"
#include "mm/flush_policy.h"
#include "mm/tlb.h"
#include "mm/tlbi_operand.h"
#include <string.h>

#define PAGES     4096u
#define KERNEL_AT 0xc0000000u
#define ASID      42u

struct geometry kernel_geometry, user_geometry;

static u8 gone[PAGES]; /* how often each page behind `base` was invalidated */
static vaddr_t base;
static struct mm mm = {.asid = ASID};
static u32 operations, everything, whole_asids, with_tables;

static void invalidate(vaddr_t va, u32 pages)
{
    u32 n = (va - base) >> PAGE_SHIFT;

    CHECK(va >= base && n + pages <= PAGES);
    for (u32 i = 0; i < pages && n + i < PAGES; i++)
        gone[n + i]++;
}

void mmu_tlbi(enum mmu_tlbi kind, u32 options, u64 operand)
{
    bool range = kind == MMU_TLBI_RANGE || kind == MMU_TLBI_RANGE_ALL_ASIDS;
    bool all_asids = kind == MMU_TLBI_VA_ALL_ASIDS || kind == MMU_TLBI_RANGE_ALL_ASIDS;

    operations++;
    with_tables += !(options & MMU_TLBI_LAST_LEVEL);
    everything += kind == MMU_TLBI_ALL;
    whole_asids += kind == MMU_TLBI_ASID;
    CHECK(all_asids || kind == MMU_TLBI_ALL || operand >> 48 == ASID);
    if (range)
        invalidate((vaddr_t)((operand & (BIT64(37) - 1)) << (ENTRY_WIDE ? 16 : PAGE_SHIFT)),
                   tlbi_range_pages(operand >> 39 & 31, operand >> 44 & 3));
    else if (kind == MMU_TLBI_VA || kind == MMU_TLBI_VA_ALL_ASIDS)
        invalidate((vaddr_t)((operand & (BIT64(44) - 1)) << 12) & PAGE_MASK, 1);
    if (ENTRY_WIDE) /* a hint would mean entries of 64 bits alone */
        CHECK(range ? !(operand >> 37 & 3) : kind <= MMU_TLBI_ASID || !(operand >> 44 & 15));
}

static void start(vaddr_t at, bool ranges)
{
    base = at;
    memset(gone, 0, sizeof gone);
    memset(&tlb_stats, 0, sizeof tlb_stats);
    operations = everything = whole_asids = with_tables = 0;
    tlb_range_operations = ranges;
    tlb_single_page_flush_ceiling = PAGES;
}

/* Exactly once, each page that [first, end) touches. A range of entries of 128 bits begins where 64
 * KiB do, so that it may take some before. */
static void check_gone(vaddr_t first, vaddr_t end)
{
    u32 wrong = 0;

    for (u32 n = 0; n < PAGES; n++) {
        vaddr_t page = base + (n << PAGE_SHIFT);

        bool before = ENTRY_WIDE && page < first && page >= (first & ~0xffffu);

        if (!before || gone[n] > 1)
            wrong += gone[n] != (page + PAGE_SIZE > first && page < end);
    }
    CHECK(wrong == 0);
}

static void exactly_the_pages(bool ranges)
{
    for (u32 i = 0; i < 200; i++) {
        u32 bytes = PAGES << PAGE_SHIFT, a = pseudo_random() % bytes, b = pseudo_random() % bytes;
        vaddr_t from = MIN(a, b), to = i % 2 ? MAX(a, b) : MIN(from + (a & 0x7ffff), bytes);

        if (from == to)
            continue;
        start(KERNEL_AT, ranges);
        flush_tlb_kernel_range(base + from, base + to);
        check_gone(base + from, base + to);
        CHECK(with_tables == 0 && everything == 0);
        CHECK(operations <= 5 || !ranges);
        start(0x10000000, ranges);
        flush_tlb_range(&mm, base + from, base + to, i % 3 == 0);
        check_gone(base + from, base + to);
        CHECK(with_tables == (i % 3 == 0 ? operations : 0));
    }
}

/* D.2.8 and D.2.9: so many pages one by one, one more and everything goes, which is counted. */
static void ceiling(u32 pages)
{
    vaddr_t at = KERNEL_AT, user = 0x10000000;

    start(at, false);
    tlb_single_page_flush_ceiling = pages;
    flush_tlb_kernel_range(at, at + pages * PAGE_SIZE);
    CHECK(operations == pages && everything == 0 && tlb_stats.page == pages);
    flush_tlb_kernel_range(at, at + (pages + 1) * PAGE_SIZE);
    CHECK(operations == pages + 1 && everything == 1 && tlb_stats.kernel_degraded == 1);
    start(user, false);
    tlb_single_page_flush_ceiling = pages;
    flush_tlb_range(&mm, user, user + pages * PAGE_SIZE, false);
    CHECK(operations == pages && whole_asids == 0);
    flush_tlb_range(&mm, user, user + (pages + 1) * PAGE_SIZE, false);
    CHECK(operations == pages + 1 && whole_asids == 1 && everything == 0);
    start(at, true); /* a range operation has no ceiling */
    tlb_single_page_flush_ceiling = pages;
    flush_tlb_kernel_range(at, at + PAGES * PAGE_SIZE);
    CHECK(operations == 1 && everything == 0);
}

TEST(every_geometry)
{
    for (unsigned size = 0; size < 6; size++) {
        int error =
            geometry_init(&kernel_geometry, GRANULE_SHIFT(size / 2), ENTRY_64 + size % 2, 31);

        CHECK(error == 0);
        exactly_the_pages(true);
        exactly_the_pages(false);
        ceiling(0);
        ceiling(1);
        ceiling(33);
    }
}

TEST(nothing_for_nothing)
{
    start(KERNEL_AT, true);
    flush_tlb_kernel_range(KERNEL_AT, KERNEL_AT);
    flush_tlb_kernel_range(KERNEL_AT + 1, KERNEL_AT);
    flush_tlb_range(&mm, 0x2000, 0x2000, true);
    flush_tlb_range(&mm, 0x3000, 0x2000, false);
    CHECK(operations == 0);
}

/* The last pages of the address space: their end is 2^32, which no register holds. */
TEST(the_top_pages)
{
    vaddr_t first = 0 - (PAGES << PAGE_SHIFT);

    for (u32 way = 0; way < 4; way++) {
        for (u32 pages = 1; pages <= 3; pages++) {
            start(first, way % 2);
            if (way < 2)
                flush_tlb_kernel_range(0 - pages * PAGE_SIZE, 0);
            else
                flush_tlb_range(&mm, 0 - pages * PAGE_SIZE, 0, false);
            CHECK(operations && gone[PAGES - 1] == 1 && gone[PAGES - pages] == 1 && !gone[0]);
        }
    }
}

TEST(setter)
{
    const char *const wrong[] = {NULL, "", "-1", "ten", "5x", "99999999999"};

    CHECK(set_tlb_single_page_flush_ceiling("17") == 0 && tlb_single_page_flush_ceiling == 17);
    for (u32 i = 0; i < ARRAY_SIZE(wrong); i++) {
        CHECK(set_tlb_single_page_flush_ceiling(wrong[i]) == -EINVAL);
        CHECK(tlb_single_page_flush_ceiling == 17);
        CHECK(strstr(console_text(), "is no number of pages\n"));
    }
    CHECK(set_tlb_single_page_flush_ceiling("0") == 0 && tlb_single_page_flush_ceiling == 0);
}

/* x86 of linux-mm 5.3: 100 ns a page and a ceiling of 33 give a refill of 3.3 us. PowerPC of
 * document 001: 1054.7 ns a page, 3280 us for everything. */
TEST(break_even)
{
    CHECK(flush_break_even(&(struct flush_costs){.page = 100, .all = 300, .refill = 3000}) == 33);
    CHECK(flush_break_even(&(struct flush_costs){.page = 10547, .all = 32800000}) == 3109);
    CHECK(flush_break_even(&(struct flush_costs){.page = 200, .all = 88, .refill = 50}) == 0);
    CHECK(flush_break_even(&(struct flush_costs){0}) == 0);
}

static u32 steps_of(u32 pages)
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

TEST(splits_like_linux)
{
    struct tlbi_step step = tlbi_next_step(1000);

    CHECK(step.is_range && step.scale == 1 && step.num == 14);
    step = tlbi_next_step(40);
    CHECK(step.is_range && step.scale == 0 && step.num == 19);
    CHECK(steps_of(1) == 1 && steps_of(5) == 2 && steps_of(1000) == 2);
    CHECK(steps_of(1024) == 1 && steps_of(512) == 1 && steps_of(1023) == 3);
    CHECK(steps_of(TLBI_RANGE_MAX_PAGES) == 1 && steps_of(262144) == 1);
    CHECK(steps_of(2097151) == 5);
}
