/* Sources: mm/pkmap.c mm/page_address.c mm/page_alloc.c mm/page_size.c mm/geometry.c
 * tests/pool/pool.c
 *
 * The kmap pool: sizes, counts, reuse, sweeps, colours, waiting; linux-mm 3.2, 3.3 and B.2. */
#include "check.h"
#include "errno.h"
#include "pool/pool.h"
#include <string.h>

static void boot(u32 colours)
{
    boot_with(PKMAP_DEFAULT, colours);
}

static void use(u32 n)
{
    touch(kmap(high_page(n)));
    kunmap(high_page(n));
}

static void counts(void)
{
    boot(1);
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

static void lowmem_needs_no_slot(void)
{
    boot(1);
    CHECK((uintptr_t)kmap(map) == 0x80000000u);
    kunmap(map);
    CHECK(pkmap_stats.maps == 0);
}

/* The cursor moves before it is used, so the first of ten sweeps recycles one slot less. */
static void sweep_statistics(void)
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

static void sizes(void)
{
    boot(1);
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

static void boot_argument(void)
{
    char *wrong[] = {NULL, "", "many", "-64", "63", "1000", "8192", "64k"};

    boot(1);
    (void)console_text();
    for (u32 i = 0; i < ARRAY_SIZE(wrong); i++) {
        CHECK(setup_pkmap(wrong[i]) == -EINVAL && nr_pkmap == PKMAP_DEFAULT);
        CHECK(strstr(console_text(), "power of two from 64 to 4096\n"));
    }
    CHECK(setup_pkmap("256") == 0 && nr_pkmap == 256);
    nr_pkmap = PKMAP_DEFAULT;
}

/* The access-flag filter: what was never touched needs no flush, under any policy. */
static void untouched_slots_need_no_flush(enum pkmap_flush_policy policy)
{
    boot_with(64, 1);
    pkmap_flush_policy = policy;
    for (u32 n = 0; n < 64; n++) {
        kmap(high_page(n));
        kunmap(high_page(n));
    }
    kmap_flush_unused();
    CHECK(flushes == 0 && pkmap_stats.cached_slots == 0);
    for (u32 n = 0; n < 63; n++) {
        void *a = kmap(high_page(100 + n));

        if (n % 4 == 0)
            touch(a);
        kunmap(high_page(100 + n));
    }
    kmap_flush_unused();
    CHECK(policy == PKMAP_FLUSH_EAGER || pkmap_stats.cached_slots == 16);
    CHECK(flushes == (policy == PKMAP_FLUSH_PAGE || policy == PKMAP_FLUSH_EAGER ? 16u : 1u));
    for (u32 slot = 0; slot < 64; slot++)
        CHECK(!tlb[slot]);
}

static void long_lived_mappings_stay(void)
{
    boot(1);
    void *kept = kmap(high_page(0));

    for (u32 n = 1; n < 5 * nr_pkmap; n++)
        use(n);
    CHECK(page_address(high_page(0)) == kept && pte[pkmap_nr(kept)] == high_page(0));
    kunmap(high_page(0));
}

static void map_another_page(void)
{
    kmap(high_page(4097));
}

static void exhaustion(void)
{
    boot(1);
    for (u32 n = 0; n < nr_pkmap; n++)
        CHECK(kmap_try(high_page(n)));
    CHECK(!kmap_try(high_page(nr_pkmap)));
    CHECK(panics(map_another_page) && strstr(panic_message, "pkmap exhausted: all 1024 slots"));
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

static void maps_the_page_itself(u32 turn)
{
    (void)turn;
    kunmap(high_page(9));
    CHECK(kmap_try(high_page(4097)));
}

static void frees_nothing(u32 turn)
{
    (void)turn;
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

static void waiting(void)
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
    CHECK(panics(map_another_page) && strstr(panic_message, "all 16 slots of colour 1"));
    kmap_wait = kmap_wake = NULL;
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

/* Each colour has its own slots: nr_pkmap / colours of them, and one does not starve another. */
static void colours(u32 slots)
{
    for (u32 c = 2; c <= KMAP_COLOUR_MAX; c *= 2) {
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

static void eager_policy(void)
{
    boot(1);
    pkmap_flush_policy = PKMAP_FLUSH_EAGER;
    void *a = kmap(high_page(3));

    touch(a);
    kunmap(high_page(3));
    CHECK(flushes == 1 && pkmap_count[pkmap_nr(a)] == 0 && !page_address(high_page(3)));
}

/* Random traffic under each policy: no slot is used while the TLB may remember its past (checked in
 * pkmap_set_pte), and the counts are the outstanding mappings. */
static void random_traffic(enum pkmap_flush_policy policy, u32 slots, u32 c)
{
    static u8 users[2 * PKMAP_MAX];
    u32 outstanding = 0, counted = 0;

    boot_with(slots, c);
    pkmap_flush_policy = policy;
    memset(users, 0, sizeof users);
    for (u32 step = 0; step < 30000; step++) {
        u32 n = pseudo_random() % (2 * slots);
        void *a;

        if (users[n] && pseudo_random() % 3) {
            kunmap(high_page(n));
            users[n]--;
            outstanding--;
        } else if (outstanding < nr_pkmap / 4 && (a = kmap_try(high_page(n)))) {
            if (pseudo_random() % 2)
                touch(a);
            users[n]++;
            outstanding++;
        }
    }
    for (u32 slot = 0; slot < nr_pkmap; slot++) {
        CHECK((pkmap_count[slot] == 0) == !pte[slot]);
        CHECK(pkmap_count[slot] || !tlb[slot]);
        CHECK(!pte[slot] || page_address(pte[slot]) == pkmap_address(slot));
        counted += pkmap_count[slot] > 1 ? (u32)pkmap_count[slot] - 1 : 0;
    }
    CHECK(counted == outstanding);
}

int main(void)
{
    static const enum pkmap_flush_policy policies[] = {PKMAP_FLUSH_RANGE, PKMAP_FLUSH_PAGE,
                                                       PKMAP_FLUSH_ALL, PKMAP_FLUSH_EAGER};

    counts();
    lowmem_needs_no_slot();
    sizes();
    boot_argument();
    sweep_statistics();
    long_lived_mappings_stay();
    exhaustion();
    waiting();
    misuse_panics();
    colours(PKMAP_MIN);
    colours(PKMAP_DEFAULT);
    eager_policy();
    for (u32 i = 0; i < ARRAY_SIZE(policies); i++) {
        untouched_slots_need_no_flush(policies[i]);
        for (u32 c = 1; c <= 4; c *= 4) {
            random_traffic(policies[i], PKMAP_MIN, c);
            random_traffic(policies[i], PKMAP_DEFAULT, c);
            random_traffic(policies[i], PKMAP_MAX, c);
        }
    }
    return finish();
}
