/* What flushing n pages costs: page by page, as one range, or everything. As the document did it, a
 * page is timed inside, and a range in the caller; both asymmetries are printed. */
#include "drivers/mmu.h"
#include "drivers/pmu.h"
#include "experiments/e001.h"
#include "experiments/experiment.h"
#include "mm/hashed_table.h"
#include "mm/tlb.h"
#include "panic.h"

#define FRACTIONS 4u
#define WARM_UP   64u /* pages */

static u32 empty; /* cycles between two readings with nothing in between */

void e001_map_slots(struct page *page, u32 n, u32 percent)
{
    for (u32 slot = 0; slot < n; slot++) {
        pkmap_set_pte(slot, page);
        if ((slot + 1) * percent / 100 != slot * percent / 100)
            *(volatile u32 *)pkmap_address(slot);
    }
}

/* As a sweep does it under PKMAP_FLUSH_PAGE. */
static void flush_slot(u32 slot)
{
    if (pkmap_clear_pte(slot))
        pkmap_flush_slots(slot, slot + 1);
}

static u32 inside(u32 n)
{
    u32 sum = 0;

    for (u32 slot = 0; slot < n; slot++) {
        u32 start = e001_now();

        flush_slot(slot);
        sum += e001_now() - start - empty;
    }
    return sum;
}

static u32 page_by_page(u32 n)
{
    u32 start = e001_now();

    for (u32 slot = 0; slot < n; slot++)
        flush_slot(slot);
    return e001_now() - start - empty;
}

static u32 clear_slots(u32 n)
{
    u32 start = e001_now();

    for (u32 slot = 0; slot < n; slot++)
        pkmap_clear_pte(slot);
    return e001_now() - start - empty;
}

static u32 as_range(u32 n)
{
    u32 start = e001_now();

    pkmap_flush_slots(0, n);
    return e001_now() - start - empty;
}

static u32 everything(void)
{
    u32 start = e001_now();

    flush_tlb_all();
    return e001_now() - start - empty;
}

/* Cycles for n pages by each way. The caches know the code and the tables from the pass before. */
static void cost_row(struct page *page, u32 n)
{
    e001_map_slots(page, n, 100);
    u32 pages = page_by_page(n);

    e001_map_slots(page, n, 100);
    u32 clear = clear_slots(n), range = as_range(n), all = everything();

    kprintf("  %6u %10u %10u %10u %10u %10u\n", n, pages, clear + range, clear + all, range, all);
    series("e001.cost.page", n, pages * E6);
    series("e001.cost.range", n, (clear + range) * E6);
    series("e001.cost.all", n, (clear + all) * E6);
    series("e001.operation.range", n, range * E6);
}

static void cost_table(struct page *page)
{
    static const u16 sizes[] = {1, 2, 4, 16, 33, 128, 1000, 1023, 1024};

    kprintf("  pages   page by page  clear+range  clear+all  range alone  all alone   (cycles)\n");
    for (u32 i = 0; i < ARRAY_SIZE(sizes); i++)
        if (e001_full || sizes[i] < 1000)
            cost_row(page, sizes[i]);
    for (u32 n = 2 * E001_PAGES; e001_full && n <= PKMAP_MAX; n *= 2)
        cost_row(page, n);
}

/* How far the i-th is above the line from the first to the last. */
static s64 above_line(const s64 *values, u32 i)
{
    return values[i] - values[0] - (values[FRACTIONS] - values[0]) * i / FRACTIONS;
}

/* A sweep of which only the first slots were accessed: between none and all it is linear. Where
 * every second one was, the core guesses wrongly whether the next is to be flushed (H1.mixed). With
 * few pages in a hashed table more of that is in the data cache; so, with a table only, the model
 * has what the cache made it wait, as measured. */
static void fractions(struct page *page)
{
    u32 n = E001_PAGES / (e001_full ? 1 : 4);
    s64 cost[FRACTIONS + 1], waits[FRACTIONS + 1];

    for (u32 i = 0; i <= FRACTIONS; i++) {
        e001_map_slots(page, n, 0);
        for (u32 slot = 0; slot < n * i / FRACTIONS; slot++)
            *(volatile u32 *)pkmap_address(slot);
        u32 before = hashed_table_bytes ? pmu_read(GRANULE_EVENT_L1D_STALL) : 0;

        cost[i] = ratio_e6(page_by_page(n), n);
        if (hashed_table_bytes) {
            waits[i] = ratio_e6((u32)pmu_read(GRANULE_EVENT_L1D_STALL) - before, n);
            series("e001.fraction.waits", 100 * i / FRACTIONS, waits[i]);
        }
        series("e001.fraction.page", 100 * i / FRACTIONS, cost[i]);
    }
    for (u32 i = 1; i < FRACTIONS; i++) {
        s64 model = cost[0] + (cost[FRACTIONS] - cost[0]) * i / FRACTIONS;
        char id[16], what[48];

        if (hashed_table_bytes)
            model += above_line(waits, i);
        ksnprintf(id, sizeof id, "H1.hot%u", 100 * i / FRACTIONS);
        ksnprintf(what, sizeof what, "flush of a page, %u %% of them were accessed",
                  100 * i / FRACTIONS);
        modelled(id, what, cost[i], "cycles", model, model / 20);
    }
    e001_map_slots(page, n, 50);
    figure("H1.mixed", "flush of a page, every second one was accessed",
           ratio_e6(page_by_page(n), n), "cycles");
}

static void print_figures(const struct e001_costs *c, s64 untouched)
{
    kprintf("  a page inside %s cycles, in the caller %s; never accessed %s and %s\n",
            fixed(c->page, 1), fixed(c->loop, 1), fixed(c->clean, 1), fixed(untouched, 1));
    figure("H1.1", "flush of a page that was never accessed", c->clean, "cycles");
    figure("H1.2", "flush of an accessed page over one that was not", ratio_e6(c->page, c->clean),
           "ratio");
    figure("H1.3", "1024 pages in a loop over 1024 times one inside", ratio_e6(c->loop, c->page),
           "ratio");
    figure("H1.4", "flush of everything over that of 1024 pages as a range",
           ratio_e6(c->all, c->range), "ratio");
    figure("H1.6", "flush of everything costs more than 1024 pages (1: yes)",
           c->all > E001_PAGES * c->page ? E6 : 0, "yes");
    figure("H1.8", "pages that cost as much as everything, nothing live", ratio_e6(c->all, c->loop),
           "pages");
    figure("H1.10", "flush of everything over 1024 pages that were never accessed",
           ratio_e6(c->all, E001_PAGES * untouched), "ratio");
    figure("H1.page", "flush of an accessed page", c->page, "cycles");
    figure("H1.range", "flush of 1024 pages as one range", c->range, "cycles");
    figure("H1.all", "flush of everything", c->all, "cycles");
}

static void figure_in_mmu(const char *id, const char *what)
{
    figure(id, what, (s64)mmu_tlbi_cycles() * E6, "cycles");
}

/* Of each kind, one invalidation without what software does for it. */
static void in_the_mmu(struct page *page)
{
    e001_map_slots(page, 1, 100);
    flush_slot(0);
    figure_in_mmu("H1.mmu_page", "from acceptance to done, one page");
    pkmap_flush_slots(0, E001_PAGES);
    figure_in_mmu("H1.mmu_range", "from acceptance to done, 1024 pages as one range");
    flush_tlb_all();
    figure_in_mmu("H1.mmu_all", "from acceptance to done, everything");
}

struct e001_costs e001_measure_costs(void)
{
    struct page *page = alloc_page(GFP_HIGHUSER);
    struct e001_costs c = {0};
    s64 untouched = 0;

    BUG_ON(!page);
    for (u32 n = WARM_UP; n <= E001_PAGES; n += E001_PAGES - WARM_UP) { /* the second pass counts */
        u32 start = e001_now();

        empty = e001_now() - start;
        e001_map_slots(page, n, 0);
        c.clean = ratio_e6(inside(n), n);
        e001_map_slots(page, n, 0);
        untouched = ratio_e6(page_by_page(n), n);
        e001_map_slots(page, n, 100);
        c.page = ratio_e6(inside(n), n);
        e001_map_slots(page, n, 100);
        c.loop = ratio_e6(page_by_page(n), n);
        c.range = as_range(E001_PAGES) * E6;
        c.all = everything() * E6;
    }
    cost_table(page);
    print_figures(&c, untouched);
    in_the_mmu(page);
    if (pkmap_tracks_access)
        fractions(page);
    put_page(page);
    return c;
}
