#include "pool.h"
#include "../check.h"
#include <string.h>

#define HIGH_PFN 0x100000u

struct page map[1 + HIGH_PAGES];
struct page *pte[PKMAP_MAX], *tlb[PKMAP_MAX];
static bool accessed[PKMAP_MAX];
u32 flushes, flushed_slots;

void clear_highpage(struct page *page)
{
    (void)page;
}

/* A stale entry where a new mapping appears is the bug. */
void pkmap_set_pte(u32 slot, struct page *page)
{
    CHECK(slot < nr_pkmap && !pte[slot]);
    CHECK(!tlb[slot]);
    pte[slot] = page;
    accessed[slot] = false;
}

bool pkmap_clear_pte(u32 slot)
{
    CHECK(pte[slot]);
    CHECK(accessed[slot] || !tlb[slot]); /* never cached without its access flag */
    pte[slot] = NULL;
    return accessed[slot];
}

void pkmap_flush_slots(u32 first, u32 end)
{
    CHECK(first < end && end <= nr_pkmap);
    flushes++;
    flushed_slots += end - first;
    memset(tlb + first, 0, (end - first) * sizeof *tlb);
}

void pkmap_flush_everything(void)
{
    flushes++;
    memset(tlb, 0, sizeof tlb);
}

void touch(const void *address)
{
    u32 slot = pkmap_nr(address);

    CHECK(pte[slot]);
    tlb[slot] = pte[slot];
    accessed[slot] = true;
}

void boot_with(u32 slots, u32 colours)
{
    kernel_geometry.page_shift = 12;
    page_alloc_init(map, 0x80000, 1, HIGH_PFN, HIGH_PAGES);
    memset(pte, 0, sizeof pte);
    memset(tlb, 0, sizeof tlb);
    flushes = flushed_slots = 0;
    kmap_wait = kmap_wake = NULL;
    kmap_colours = colours;
    pkmap_flush_policy = PKMAP_FLUSH_RANGE;
    pkmap_init();
    CHECK(pkmap_resize(slots) == 0);
}

struct page *high_page(u32 n)
{
    return map + 1 + n % HIGH_PAGES;
}
