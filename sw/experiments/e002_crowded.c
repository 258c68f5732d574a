/* Document 002, runs: zero pages are not alone in their sets. */
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "mm/page.h"

#define ZERO_READS 8u

/* eight untouched pages and one hot line, in the set in which the first line of a page is. */
static struct outcome one_hot_line(enum zero_policy policy, const char *what)
{
    const struct loop loop = {.run = "A-6",
                              .what = what,
                              .base = USER_DATA,
                              .stride = PAGE_SIZE,
                              .n = ZERO_READS + 1,
                              .passes = PASSES,
                              .own = ZERO_READS,
                              .own_pages = 1,
                              .frame_step = 1};

    zero_pages_switch(policy, &e002_cache);
    return probe(&loop);
}

static void total_size_rule(void)
{
    struct outcome total = one_hot_line(ZP_TOTAL, "document's rule, one hot line");
    struct outcome way = one_hot_line(ZP_WAY, "one per colour, one hot line");

    misses_modelled("A-6.total", "misses, document's rule and one hot line", &total);
    misses_modelled("A-6.way", "misses, one zero page per colour and one hot line", &way);
    figure("A-6.slower", "time, document's rule over one zero page per colour",
           ratio_e6(all_cycles(&total), all_cycles(&way)), "ratio");
    if (total.r.steady.l1d_miss > 100 * MAX(way.r.steady.l1d_miss, 1u))
        kprintf("       the document's own rule makes the problem that it wants to solve\n");
}

/* hot lines fill the set in which the only zero page is, and the others of its colours are
 * read. A cache without aliases wants colours too, when their pages are unlucky. */
static struct outcome unlucky(enum zero_policy policy, u32 colour, const char *what)
{
    u32 colours = cache_colours(&e002_cache, PAGE_SHIFT), ways = e002_cache.ways;
    /* The page after the hot ones has the colour after the hot lines'. */
    u32 skipped = (colour + 1 - ways) & (colours - 1);
    const struct loop loop = {.run = "A-7",
                              .what = what,
                              .base = USER_DATA + skipped * PAGE_SIZE,
                              .stride = PAGE_SIZE,
                              .n = ways + colours - 1,
                              .passes = PASSES,
                              .own_pages = ways,
                              .frame_step = colours,
                              .frame_colour = colour};

    zero_pages_switch(policy, &e002_cache);
    return probe(&loop);
}

static void unlucky_colour(void)
{
    zero_pages_switch(ZP_SINGLE, &e002_cache);
    u32 colour = zero_pfn & (cache_colours(&e002_cache, PAGE_SHIFT) - 1);
    struct outcome single = unlucky(ZP_SINGLE, colour, "hot lines where the zero page is");
    struct outcome coloured = unlucky(ZP_WAY, colour, "the same, one zero page per colour");

    misses_modelled("A-7.single", "misses, hot lines where the only zero page is", &single);
    misses_modelled("A-7.coloured", "misses, the same with one zero page per colour", &coloured);
}

void e002_crowded(void)
{
    total_size_rule();
    if (e002_mode == L1D_PHYSICAL && cache_colours(&e002_cache, PAGE_SHIFT) > 1)
        unlucky_colour();
    zero_pages_switch(ZP_WAY, &e002_cache);
}
