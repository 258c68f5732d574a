/* Document 002, runs: untouched memory, which maps zero pages, under three
 * policies: one page, one per colour (way / page), and the document's rule (cache / page). */
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "mm/page.h"

#define ZERO_READS 8u /* pages of untouched memory that are read, as in the model's table */

/* One set of zero-page readings; not repeated when a policy gives as many pages as the one before.
 */
static struct outcome zero_run(const char *run, enum zero_policy policy, const struct outcome *last)
{
    static const char *const names[] = {"one zero page", "one per colour (way / page)",
                                        "document's rule (cache / page)"};
    u32 before = zero_colours();
    char what[64];

    zero_pages_switch(policy, &e002_cache);
    ksnprintf(what, sizeof what, "%s: %u", names[policy], zero_colours());
    if (last && zero_colours() == before) {
        kprintf("  %-4s %-34s as above\n", run, what);
        return *last;
    }
    const struct loop loop = {.run = run,
                              .what = what,
                              .base = USER_DATA,
                              .stride = PAGE_SIZE,
                              .n = ZERO_READS,
                              .passes = PASSES};

    return probe(&loop);
}

/* Ways no larger than a page: the number of zero pages only costs cold misses. */
static void ways_within_a_page(const struct outcome *single, const struct outcome *total)
{
    misses_modelled("A-4.single", "misses, one zero page", single);
    misses_modelled("A-4.total", "misses, document's rule cache / page", total);
    if (single->r.steady.l1d_miss == 0 && total->r.steady.l1d_miss == 0)
        kprintf("       no thrash either way: the document's test was no test of zero pages\n");
}

/* Ways larger than a page: three designs of a cache, of which colours help one. */
static void ways_beyond_a_page(const struct outcome *single, const struct outcome *coloured)
{
    s64 saved = (s64)all_cycles(single) - all_cycles(coloured);

    misses_modelled("A-5.single", "misses, one zero page", single);
    misses_modelled("A-5.coloured", "misses, one zero page per colour", coloured);
    figure("A-5.fewer", "how many times fewer misses",
           ratio_e6(all_misses(single), MAX(all_misses(coloured), 1u)), "ratio");
    if (e002_mode == L1D_ONE_COPY)
        figure("A-5.moves", "how many times fewer alias moves",
               ratio_e6(all_moves(single), MAX(all_moves(coloured), 1u)), "ratio");
    else
        invariant("A-5.no-moves", "alias moves of a design that needs none",
                  all_moves(single) + all_moves(coloured));
    figure("A-5.saved", "cycles saved by colouring", saved * E6, "cycles");
    figure("A-5.faster", "how many times faster",
           ratio_e6(all_cycles(single), all_cycles(coloured)), "ratio");
    kprintf("       %s: %u misses with one zero page, %u with one per colour\n",
            l1d_alias_name(e002_mode), all_misses(single), all_misses(coloured));
}

/* A larger page swallows the colours (linux-mm 2.3). */
static void larger_pages(u32 total_pages, const struct outcome *single)
{
    static const struct {
        u32 kib, ways, colours[3], rule[3]; /* at 4K, 16K, 64K */
    } rows[] = {
        {32, 8, {1, 1, 1}, {8, 2, 1}},  {32, 4, {2, 1, 1}, {8, 2, 1}},
        {32, 2, {4, 1, 1}, {8, 2, 1}},  {32, 1, {8, 2, 1}, {8, 2, 1}},
        {64, 4, {4, 1, 1}, {16, 4, 1}},
    };
    u32 column = geometry_granule(&kernel_geometry);
    u32 colours = cache_colours(&e002_cache, PAGE_SHIFT);

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].ways != e002_cache.ways || rows[i].kib * 1024 != cache_bytes(&e002_cache))
            continue;
        arithmetic("A-8.colours", "useful colours, way / page", colours, "pages",
                   rows[i].colours[column]);
        arithmetic("A-8.rule", "document's rule, cache / page", total_pages, "pages",
                   rows[i].rule[column]);
    }
    if (cache_colours(&e002_cache, GRANULE_SHIFT(0u)) == 1)
        kprintf("       A-8: this cache has one colour at every granule, so nothing collapses\n");
    else if (colours == 1)
        invariant("A-8.moves", "alias moves, colours collapsed", all_moves(single));
}

void e002_zero(void)
{
    bool beyond = cache_colours(&e002_cache, PAGE_SHIFT) > 1;
    const char *run = beyond ? "A-5" : "A-4";
    struct outcome single = zero_run(run, ZP_SINGLE, NULL);
    struct outcome coloured = zero_run(run, ZP_WAY, &single);
    struct outcome total = zero_run(run, ZP_TOTAL, &coloured);
    u32 total_pages = zero_colours();

    zero_pages_switch(ZP_WAY, &e002_cache);
    if (beyond)
        ways_beyond_a_page(&single, &coloured);
    else
        ways_within_a_page(&single, &total);
    larger_pages(total_pages, &single);
}
