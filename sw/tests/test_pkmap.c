/* Sources: mm/pkmap.c mm/page_alloc.c
 *
 * The kmap pool: counts, reuse, sweeps, colours, exhaustion; linux-mm 3.2, 3.3 and B.2. The PTEs
 * and the TLB are two arrays: an entry of the TLB may outlive its PTE until it is flushed. */
#include "check.h"
#include "mm/highmem.h"
#include <string.h>

#define HIGH_PFN   0x100000u
#define HIGH_PAGES 16384u

static struct page map[1 + HIGH_PAGES];
static struct page *pte[LAST_PKMAP], *tlb[LAST_PKMAP];
static u32 flushes;

void clear_highpage(struct page *page)
{
    (void)page;
}

/* A new mapping is used at once, so it enters the TLB; a stale entry there is the bug. */
void pkmap_set_pte(u32 slot, struct page *page)
{
    CHECK(!pte[slot]);
    CHECK(!tlb[slot]);
    pte[slot] = tlb[slot] = page;
}

void pkmap_clear_pte(u32 slot)
{
    CHECK(pte[slot]);
    pte[slot] = NULL;
}

void pkmap_flush_slots(u32 first, u32 end)
{
    flushes++;
    memset(tlb + first, 0, (end - first) * sizeof *tlb);
}

void pkmap_flush_everything(void)
{
    flushes++;
    memset(tlb, 0, sizeof tlb);
}

static void boot(u32 colours)
{
    kernel_geometry.page_shift = 12;
    page_alloc_init(map, 0x80000, 1, HIGH_PFN, HIGH_PAGES);
    memset(pte, 0, sizeof pte);
    memset(tlb, 0, sizeof tlb);
    flushes = 0;
    kmap_colours = colours;
    pkmap_flush_policy = PKMAP_FLUSH_RANGE;
    pkmap_init();
}

static struct page *high_page(u32 n)
{
    return map + 1 + n % HIGH_PAGES;
}

static u32 slot_of(const void *address)
{
    return (u32)((uintptr_t)address - PKMAP_BASE) >> 12;
}

static void counts(void)
{
    boot(1);
    struct page *page = high_page(5);
    void *a = kmap(page);
    u32 slot = slot_of(a);

    CHECK(pkmap_count[slot] == 2 && page_address(page) == a && kmap_to_page(a) == page);
    CHECK(kmap(page) == a && pkmap_count[slot] == 3);
    CHECK(kmap_high_get(page) == a && pkmap_count[slot] == 4);
    kunmap(page);
    kunmap(page);
    kunmap(page);
    CHECK(pkmap_count[slot] == 1 && pte[slot] == page && flushes == 0);
    CHECK(kmap(page) == a && pkmap_count[slot] == 2 && flushes == 0);
    kunmap(page);
    kmap_flush_unused();
    CHECK(pkmap_count[slot] == 0 && !pte[slot] && !tlb[slot] && flushes == 1);
    CHECK(!page_address(page) && !kmap_high_get(page));
    kmap_flush_unused();
    CHECK(flushes == 1); /* nothing to flush, no flush */
}

static void lowmem_needs_no_slot(void)
{
    boot(1);
    CHECK((uintptr_t)kmap(map) == 0x80000000u);
    kunmap(map);
    CHECK(pkmap_stats.maps == 0);
}

/* H1.7: the cursor moves before it is used, so the first of ten sweeps recycles one slot less. */
static void sweep_statistics(void)
{
    boot(1);
    for (u32 n = 0; pkmap_stats.sweeps < 10; n++) {
        kmap(high_page(n));
        kunmap(high_page(n));
    }
    CHECK(pkmap_stats.swept_slots == 1023 + 9 * 1024);
    CHECK(pkmap_stats.swept_slots * 10 / 10 == 10239); /* a mean of 1023.9 */
    CHECK(flushes == 10);
}

static void long_lived_mappings_stay(void)
{
    boot(1);
    void *kept = kmap(high_page(0));

    for (u32 n = 1; n < 5 * LAST_PKMAP; n++) {
        kmap(high_page(n));
        kunmap(high_page(n));
    }
    CHECK(page_address(high_page(0)) == kept && pte[slot_of(kept)] == high_page(0));
    kunmap(high_page(0));
}

static void map_one_more(void)
{
    kmap(high_page(LAST_PKMAP));
}

static void exhaustion(void)
{
    boot(1);
    for (u32 n = 0; n < LAST_PKMAP; n++)
        CHECK(kmap_try(high_page(n)));
    CHECK(!kmap_try(high_page(LAST_PKMAP)));
    CHECK(panics(map_one_more) && strstr(panic_message, "pkmap exhausted"));
    kunmap(high_page(7));
    CHECK(kmap_try(high_page(LAST_PKMAP)));
}

static void unmap_twice(void)
{
    kmap(high_page(1));
    kunmap(high_page(1));
    kunmap(high_page(1));
}

static void unmap_unmapped(void)
{
    kunmap(high_page(2));
}

static void misuse_panics(void)
{
    boot(1);
    CHECK(panics(unmap_twice));
    boot(1);
    CHECK(panics(unmap_unmapped));
}

/* Each colour has its own slots: LAST_PKMAP / colours of them, and one does not starve another. */
static void colours(void)
{
    for (u32 c = 2; c <= KMAP_COLOUR_MAX; c *= 2) {
        boot(c);
        for (u32 n = 0; n < 3 * LAST_PKMAP; n++) {
            struct page *page = high_page(n * 7);

            CHECK((slot_of(kmap(page)) & (c - 1)) == (page_to_pfn(page) & (c - 1)));
            kunmap(page);
        }
        boot(c);
        for (u32 n = 0; n < LAST_PKMAP / c; n++)
            CHECK(kmap_try(high_page(n * c)));
        CHECK(!kmap_try(high_page(LAST_PKMAP)));
        CHECK(kmap_try(high_page(1)));
    }
}

static void eager_policy(void)
{
    boot(1);
    pkmap_flush_policy = PKMAP_FLUSH_EAGER;
    void *a = kmap(high_page(3));

    kunmap(high_page(3));
    CHECK(flushes == 1 && pkmap_count[slot_of(a)] == 0 && !page_address(high_page(3)));
}

/* Random traffic under each policy: no slot is used while the TLB may remember its past (checked in
 * pkmap_set_pte), and the counts are the outstanding mappings. */
static void random_traffic(enum pkmap_flush_policy policy, u32 c)
{
    static u8 users[2048];
    u32 outstanding = 0, counted = 0;

    boot(c);
    pkmap_flush_policy = policy;
    memset(users, 0, sizeof users);
    for (u32 step = 0; step < 30000; step++) {
        u32 n = pseudo_random() % ARRAY_SIZE(users);

        if (users[n] && pseudo_random() % 3) {
            kunmap(high_page(n));
            users[n]--;
            outstanding--;
        } else if (outstanding < LAST_PKMAP / 4 && kmap_try(high_page(n))) {
            users[n]++;
            outstanding++;
        }
    }
    for (u32 slot = 0; slot < LAST_PKMAP; slot++) {
        CHECK((pkmap_count[slot] == 0) == !pte[slot]);
        CHECK(pkmap_count[slot] || !tlb[slot]);
        counted += pkmap_count[slot] > 1 ? (u32)pkmap_count[slot] - 1 : 0;
    }
    CHECK(counted == outstanding);
}

int main(void)
{
    counts();
    lowmem_needs_no_slot();
    sweep_statistics();
    long_lived_mappings_stay();
    exhaustion();
    misuse_panics();
    colours();
    eager_policy();
    for (u32 c = 1; c <= 4; c *= 4) {
        random_traffic(PKMAP_FLUSH_RANGE, c);
        random_traffic(PKMAP_FLUSH_PAGE, c);
        random_traffic(PKMAP_FLUSH_ALL, c);
        random_traffic(PKMAP_FLUSH_EAGER, c);
    }
    return finish();
}
