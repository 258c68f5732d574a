// What it costs to unmap N pages that were used: page by page, as one range operation or several,
// or with all invalidated. Prints `cost PAGES LOOP RANGE ALL AGAIN`: cycles without the stores to
// the tables; AGAIN: what eight pages beside them cost in walks when all was invalidated.
#include "lab.h"

#define BASE    0x10000000u
#define FRAMES  0x80800000u
#define OTHERS  8u
#define SCALES  4
#define MOST    32u
#define LARGEST 64u
#define TIMES   2
#define LINES   1024u // so that the pages do not share a set of the cache with all else

static uint32_t touch(uint32_t first)
{
    const uint32_t start = CSR_READ(cycle);
    for (uint32_t i = 0; i < OTHERS; i++)
        (void)REG32(BASE + ((first + i) << granule.shift) + LINES + i * 64);
    return CSR_READ(cycle) - start;
}

static void page_by_page(uint32_t pages)
{
    for (uint32_t i = 0; i < pages; i++)
        tlbi_va(BASE + (i << granule.shift), 1);
}

static void as_ranges(uint32_t pages)
{
    const uint64_t tg = granule.shift == 12 ? 1 : granule.shift == 14 ? 2 : 3;
    uint32_t va = BASE;
    for (int scale = SCALES - 1; scale >= 0; scale--) {
        const unsigned shift = 5 * scale + 1;
        const uint32_t units = pages >> shift < MOST ? pages >> shift : MOST;
        if (!units)
            continue;
        tlbi(RANGE, (uint64_t)(va >> granule.shift) | (uint64_t)(units - 1) << 39 |
                        (uint64_t)scale << 44 | tg << 46 | 1ull << 48);
        va += units << shift << granule.shift;
        pages -= units << shift;
    }
    if (pages)
        tlbi_va(va, 1);
}

static void everything(uint32_t pages)
{
    (void)pages;
    tlbi(ALL, 0);
}

// The least of some times: what is left then is not the caches'.
static uint32_t cost(void (*way)(uint32_t), uint32_t pages)
{
    uint32_t least = 0xffffffff;
    for (unsigned i = 0; i < TIMES; i++) {
        in_s(touch, LARGEST);
        const uint32_t start = CSR_READ(cycle);
        way(pages);
        const uint32_t taken = CSR_READ(cycle) - start;
        if (taken < least)
            least = taken;
    }
    return least;
}

int main(void)
{
    choose_granule();
    let_all_count();
    mmu_on();
    for (uint32_t i = 0; i < LARGEST + OTHERS; i++)
        map(BASE + (i << granule.shift), FRAMES + ((i & 15) << granule.shift),
            KERNEL_DATA | NON_GLOBAL);
    for (uint32_t pages = 1; pages <= LARGEST; pages++) {
        const uint32_t loop = cost(page_by_page, pages), range = cost(as_ranges, pages);
        const uint32_t all = cost(everything, pages), again = in_s(touch, LARGEST);
        SAY("cost", pages, loop, range, all, again - in_s(touch, LARGEST));
    }
    return 0;
}
