/* Sources: mm/pkmap.c mm/page_address.c mm/page_alloc.c mm/page_size.c mm/geometry.c
 *
 * The kmap pool: sizes, counts, sweeps, colours, waiting; linux-mm 3.2, 3.3 and B.2. Random traffic
 * under each policy is in fuzz_mm. The PTEs and the TLB are two arrays: an entry of the TLB may
 * outlive its PTE until it is flushed. A page that is touched enters the TLB and gets its access
 * flag. */
#include "check.h"
#include "errno.h"
#include "mm/highmem.h"
#include <string.h>

/* ---- stand-ins ---- */
#define HIGH_PAGES 16384u
#define HIGH_PFN   0x100000u

static struct page map[1 + HIGH_PAGES]; /* one page of lowmem, then highmem */
static struct page *pte[PKMAP_MAX], *tlb[PKMAP_MAX];
static bool accessed[PKMAP_MAX];
static u32 flushes, flushed_slots;

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

static void touch(void *address)
{
    u32 slot = pkmap_nr(address);

    CHECK(pte[slot]);
    tlb[slot] = pte[slot];
    accessed[slot] = true;
}

static void boot_with(u32 slots, u32 colours)
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

static struct page *high_page(u32 n)
{
    return map + 1 + n % HIGH_PAGES;
}

/* ---- tests ---- */
static void use(u32 n)
{
    touch(kmap(high_page(n)));
    kunmap(high_page(n));
}

TEST(counts)
{
    boot_with(PKMAP_DEFAULT, 1);
    CHECK((uintptr_t)kmap(map) == 0x80000000u); /* lowmem needs no slot */
    kunmap(map);
    CHECK(pkmap_stats.maps == 0);
    struct page *page = high_page(5);
    void *a = kmap(page);
    u32 slot = pkmap_nr(a);

    touch(a);
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

/* The cursor moves before it is used, so the first of ten sweeps recycles one slot less. */
TEST(sweep_statistics)
{
    for (u32 slots = PKMAP_MIN; slots <= PKMAP_MAX; slots *= 2) {
        boot_with(slots, 1);
        for (u32 n = 0; pkmap_stats.sweeps < 10; n++)
            use(n);
        CHECK(pkmap_stats.swept_slots == 10 * slots - 1); /* a mean of 1023.9 for 1024 */
        CHECK(pkmap_stats.cached_slots == pkmap_stats.swept_slots);
        CHECK(flushes == 10 && flushed_slots == 10 * slots);
    }
}

TEST(sizes)
{
    boot_with(PKMAP_DEFAULT, 1);
    u32 wrong[] = {0, 1, 32, 65, 96, 1000, 8192, 0x80000000u};

    for (u32 i = 0; i < ARRAY_SIZE(wrong); i++)
        CHECK(pkmap_resize(wrong[i]) == -EINVAL && nr_pkmap == PKMAP_DEFAULT);
    touch(kmap(high_page(1)));
    CHECK(pkmap_resize(64) == -EBUSY && nr_pkmap == PKMAP_DEFAULT);
    kunmap(high_page(1));
    CHECK(pkmap_resize(64) == 0 && nr_pkmap == 64 && !page_address(high_page(1)));
    CHECK(flushes == 1); /* no entry of the old size stays */
    for (u32 n = 0; n < 1000; n++)
        use(n);
    CHECK(pkmap_resize(PKMAP_MAX) == 0);
    for (u32 n = 0; n < PKMAP_MAX; n++)
        CHECK(kmap_try(high_page(n)));
    CHECK(!kmap_try(high_page(PKMAP_MAX)));
}

TEST(boot_argument)
{
    char *wrong[] = {NULL, "", "many", "-64", "63", "1000", "8192", "64k"};

    boot_with(PKMAP_DEFAULT, 1);
    (void)console_text();
    for (u32 i = 0; i < ARRAY_SIZE(wrong); i++) {
        CHECK(setup_pkmap(wrong[i]) == -EINVAL && nr_pkmap == PKMAP_DEFAULT);
        CHECK(strstr(console_text(), "power of two from 64 to 4096\n"));
    }
    CHECK(setup_pkmap("256") == 0 && nr_pkmap == 256);
    nr_pkmap = PKMAP_DEFAULT;
}

TEST(exhaustion)
{
    boot_with(PKMAP_DEFAULT, 1);
    for (u32 n = 0; n < nr_pkmap; n++)
        CHECK(kmap_try(high_page(n)));
    CHECK(!kmap_try(high_page(nr_pkmap)));
    CHECK(PANICS(kmap(high_page(4097))) &&
          strstr(panic_message, "pkmap exhausted: all 1024 slots"));
    kunmap(high_page(7));
    CHECK(kmap_try(high_page(nr_pkmap)));
}

/* Two tasks that take turns: one waits inside kmap, and meanwhile the hook runs the other one. */
static u32 wakes[KMAP_COLOUR_MAX], turns;
static void (*other_task)(u32 turn);

static void let_others_run(u32 colour)
{
    CHECK(colour == 1);
    other_task(turns++);
}

static void note_wake(u32 colour)
{
    wakes[colour]++;
}

/* First a slot of another colour becomes free, which helps nobody and wakes nobody. */
static void frees_in_two_turns(u32 turn)
{
    kunmap(high_page(turn ? 5 : 4));
    CHECK(wakes[0] == 0 && wakes[1] == turn);
}

static void maps_the_page_itself(u32)
{
    kunmap(high_page(9));
    CHECK(kmap_try(high_page(4097)));
}

static void frees_nothing(u32)
{
}

static void start_waiting(void (*other)(u32 turn))
{
    boot_with(64, 4);
    memset(wakes, 0, sizeof wakes);
    turns = 0;
    for (u32 n = 0; n < 64; n++)
        CHECK(kmap_try(high_page(n)));
    kmap_wait = let_others_run;
    kmap_wake = note_wake;
    other_task = other;
}

TEST(waiting)
{
    start_waiting(frees_in_two_turns);
    void *a = kmap(high_page(4097));

    CHECK(turns == 2 && wakes[1] == 1 && pkmap_stats.waits == 2);
    CHECK((pkmap_nr(a) & 3) == 1 && pkmap_count[pkmap_nr(a)] == 2);
    kunmap(high_page(4097));
    CHECK(wakes[1] == 1); /* nobody waits any more */

    start_waiting(maps_the_page_itself);
    a = kmap(high_page(4097));
    CHECK(turns == 1 && pkmap_count[pkmap_nr(a)] == 3); /* the other's address, not a second slot */

    start_waiting(frees_nothing);
    CHECK(PANICS(kmap(high_page(4097))) && strstr(panic_message, "all 16 slots of colour 1"));
    kmap_wait = kmap_wake = NULL;
}

TEST(misuse_panics)
{
    boot_with(PKMAP_DEFAULT, 1);
    use(1);
    CHECK(PANICS(kunmap(high_page(1))));
    CHECK(PANICS(kunmap(high_page(2))));
}

/* Each colour has its own slots: nr_pkmap / colours of them, and one does not starve another. */
TEST(colours)
{
    for (u32 i = 0; 2u << i / 2 <= KMAP_COLOUR_MAX; i++) {
        u32 slots = i % 2 ? PKMAP_DEFAULT : PKMAP_MIN, c = 2u << i / 2;

        boot_with(slots, c);
        for (u32 n = 0; n < 3 * nr_pkmap; n++) {
            struct page *page = high_page(n * 7);

            CHECK((pkmap_nr(kmap(page)) & (c - 1)) == (page_to_pfn(page) & (c - 1)));
            kunmap(page);
        }
        boot_with(slots, c);
        for (u32 n = 0; n < nr_pkmap / c; n++)
            CHECK(kmap_try(high_page(n * c)));
        CHECK(!kmap_try(high_page(nr_pkmap)));
        CHECK(kmap_try(high_page(1)));
    }
}
