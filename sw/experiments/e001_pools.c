/* The pool at work: kmap, store a word, kunmap, over one page more than there are slots, so that
 * each needs a new slot. What a kmap costs by policy and by size of the pool, and what a sweep
 * finds. */
#include "drivers/pmu.h"
#include "experiments/e001.h"
#include "experiments/e001_mix.h"
#include "experiments/experiment.h"
#include "mm/tlb.h"
#include "panic.h"

#define SWEEPS     10u
#define SMALL_POOL 64u /* the largest one that all policies try, without e001=full */

enum { PAGE, RANGE, ALL, EAGER };

static const struct {
    enum pkmap_flush_policy policy;
    const char *name;
} policies[] = {[PAGE] = {PKMAP_FLUSH_PAGE, "page"},
                [RANGE] = {PKMAP_FLUSH_RANGE, "range"},
                [ALL] = {PKMAP_FLUSH_ALL, "all"},
                [EAGER] = {PKMAP_FLUSH_EAGER, "eager"}};

static struct page *first; /* a ring through page->next */

/* Up to `wanted` pages of highmem; how many there are. */
static u32 take_pages(u32 wanted)
{
    struct page *last = NULL;
    u32 n = 0;

    for (first = NULL; n < wanted && zones[ZONE_HIGH].free; n++) {
        struct page *page = alloc_page(GFP_HIGHUSER);

        if (last)
            last->next = (u32)(page - mem_map);
        else
            first = page;
        last = page;
    }
    if (last)
        last->next = (u32)(first - mem_map);
    return n;
}

static void give_back(u32 n)
{
    for (struct page *page = first; n; n--) {
        struct page *next = mem_map + page->next;

        put_page(page);
        page = next;
    }
}

/* n pages from `page` on; the page after them. */
static struct page *use_pages(struct page *page, u32 n)
{
    for (; n; n--, page = mem_map + page->next) {
        *(volatile u32 *)kmap(page) = n;
        kunmap(page);
    }
    return page;
}

/* Cycles of a kmap: one sweep warms up, the next one counts. */
static s64 cost_of_kmap(enum pkmap_flush_policy policy, u32 slots)
{
    BUG_ON(pkmap_resize(slots));
    pkmap_flush_policy = policy;
    struct page *page = use_pages(first, slots);
    u64 start = pmu_cycles();

    use_pages(page, slots);
    s64 cost = ratio_e6((s64)(pmu_cycles() - start), slots);

    kmap_flush_unused();
    pkmap_flush_policy = PKMAP_FLUSH_RANGE;
    return cost;
}

/* Of one page after the other: how many slots a sweep recycles is an identity. */
static void ten_sweeps(u32 slots)
{
    BUG_ON(pkmap_resize(slots));
    for (struct page *page = first; pkmap_stats.sweeps < SWEEPS; page = use_pages(page, 1))
        ;
    s64 mean = ratio_e6(pkmap_stats.swept_slots, SWEEPS);

    kprintf("  %u sweeps of %u slots: %s pages each, %u were accessed of all %u\n", SWEEPS, slots,
            fixed(mean, 1), pkmap_stats.cached_slots, pkmap_stats.swept_slots);
    invariant("B.2.5", "slots that ten sweeps recycled too few or too many",
              pkmap_stats.swept_slots == SWEEPS * slots - 1 ? 0 : 1);
    kmap_flush_unused();
}

static void store_word(void *address)
{
    *(volatile u32 *)address = 1;
}

/* Returns how many sweeps did not leave exactly what was held. */
static u32 mixed(const char *id, const char *what, const struct kmap_mix *mix)
{
    BUG_ON(pkmap_resize(E001_PAGES));
    struct kmap_mix_result r = kmap_mix_run(mix, first, SWEEPS, store_word);
    s64 mean = ratio_e6(r.swept, r.sweeps);

    kprintf("  %u sweeps, %s: %s pages each\n", r.sweeps, what, fixed(mean, 1));
    figure(id, what, mean, "pages");
    kmap_flush_unused();
    return r.wrong;
}

/* H1.7, of two workloads: all maps end soon, as a page is copied; and a few last about as long as a
 * sweep takes to come again, as those of a build that sleeps on a page. */
static void two_workloads(void)
{
    static const struct kmap_mix brief = {.seed = 17, .brief = 3},
                                 build = {.seed = 17, .brief = 3, .share = 64, .lasting = 1536};

    u32 wrong = mixed("H1.7-brief", "pages to flush in a sweep, all maps brief", &brief);

    wrong += mixed("H1.7-mix", "pages to flush in a sweep, a few maps last", &build);
    invariant("B.2.6", "sweeps that did not leave exactly what was held", wrong);
}

static void size_row(u32 slots, s64 *cost)
{
    char name[32];

    kprintf("  %5u", slots);
    for (u32 i = 0; i < ARRAY_SIZE(policies); i++) {
        cost[i] = cost_of_kmap(policies[i].policy, slots);
        kprintf(" %9s", fixed(cost[i], 1));
    }
    kprintf("\n");
    for (u32 i = 0; e001_full && i < ARRAY_SIZE(policies); i++) {
        ksnprintf(name, sizeof name, "e001.kmap.%s", policies[i].name);
        series(name, slots, cost[i]);
    }
}

static void size_table(u32 most)
{
    s64 cost[ARRAY_SIZE(policies)];

    kprintf("  cycles of kmap, store, kunmap by slots of the pool\n  slots");
    for (u32 i = 0; i < ARRAY_SIZE(policies); i++)
        kprintf(" %9s", policies[i].name);
    kprintf("\n");
    for (u32 slots = PKMAP_MIN; slots <= most; slots *= 2)
        size_row(slots, cost);
    figure("H1.9", "cost of a kmap, everything over a range", ratio_e6(cost[ALL], cost[RANGE]),
           "ratio");
    figure("H1.kmap", "kmap, store, kunmap, a range per sweep", cost[RANGE], "cycles");
    figure("H1.kmap-page", "kmap, store, kunmap, page by page", cost[PAGE], "cycles");
    figure("H1.kmap-eager", "kmap, store, kunmap, each flushes", cost[EAGER], "cycles");
}

void e001_pools(void)
{
    u32 boot_slots = nr_pkmap, wanted = e001_full ? PKMAP_MAX : E001_PAGES;
    u32 pages = take_pages(wanted + 1), most = pages > 1 ? 1u << log2_floor(pages - 1) : 0;

    if (most < wanted)
        kprintf("  %u pages of highmem are free: pools of up to %u slots, not %u\n", pages, most,
                wanted);
    if (most >= PKMAP_MIN) {
        u32 colours = kmap_colours;

        kmap_colours = 1; /* as the document's machine had one */
        ten_sweeps(most >= E001_PAGES ? E001_PAGES : PKMAP_MIN);
        if (most >= E001_PAGES) /* the document's number needs its pool */
            two_workloads();
        kmap_colours = colours;
        size_table(e001_full ? most : MIN(most, SMALL_POOL));
    }
    give_back(pages);
    BUG_ON(pkmap_resize(boot_slots));
}
