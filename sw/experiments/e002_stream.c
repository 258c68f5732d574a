/* Document 002, H2.9: every line of eight untouched pages, again and again, with one zero page and
 * with as many as the document's rule gives. Its third version has a test in which colours raised
 * the misses and lowered the time; it does not say of which loop. */
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "mm/page.h"

#define STREAM_PAGES  8u
#define STREAM_PASSES 8u

static struct outcome stream(enum zero_policy policy, const char *what)
{
    const struct loop loop = {.run = "H2.9",
                              .what = what,
                              .base = USER_DATA,
                              .stride = e002_cache.line_bytes,
                              .n = STREAM_PAGES * PAGE_SIZE / e002_cache.line_bytes,
                              .passes = STREAM_PASSES};

    zero_pages_switch(policy, &e002_cache);
    return probe(&loop);
}

static s64 percent_more(u32 now, u32 before)
{
    return 100 * (ratio_e6(now, MAX(before, 1u)) - E6);
}

void e002_stream(void)
{
    struct outcome single = stream(ZP_SINGLE, "whole zero pages, one");
    struct outcome total = stream(ZP_TOTAL, "whole zero pages, document's rule");

    zero_pages_switch(ZP_WAY, &e002_cache);
    figure("H2.9", "misses with colours, whole pages",
           percent_more(all_misses(&total), all_misses(&single)), "percent");
    figure("H2.9.time", "time with colours, whole pages",
           percent_more(all_cycles(&total), all_cycles(&single)), "percent");
}
