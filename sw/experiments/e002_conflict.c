/* Document 002, runs: lines that share one set, as many as there are ways and one
 * more. This is what the document measured, on distinct frames of one large page. */
#include "experiments/e002.h"
#include "experiments/experiment.h"

#define PUBLISHED_BYTES 32768u /* size of the document's cache */

/* The measured differences between the two loops, as the document's table has them. */
static void published(const struct outcome *fit, const struct outcome *over)
{
    s64 total = ratio_e6(over->r.steady.cycles, fit->r.steady.cycles);
    s64 per_read = total * (s64)fit->n / (s64)over->n;
    s64 extra = (s64)over->r.steady.cycles - (s64)fit->r.steady.cycles * over->n / fit->n;
    u32 extra_misses = over->r.steady.l1d_miss - fit->r.steady.l1d_miss;

    kprintf("       documents: 37,103 -> 4,687,932 misses (0.521 a read), time +14.07 %%, "
            "+1.40 %% a read;\n       v3: 43,429 -> 9,038,460 (1.004 a read), 2.41x, 2.15x a "
            "read\n");
    figure("H2.1", "misses a read, as many lines as ways", miss_rate(fit), "miss/read");
    figure("H2.2", "misses a read, one line more than ways", miss_rate(over), "miss/read");
    figure("H2.3", "times the misses, first pass included",
           ratio_e6(all_misses(over), all_misses(fit)), "ratio");
    figure("H2.4", "time, one line more than ways", (total - E6) * 100, "percent");
    figure("H2.5", "time per read, one line more than ways", (per_read - E6) * 100, "percent");
    figure("H2.6", "cycles of one more miss", extra_misses ? ratio_e6(extra, extra_misses) : 0,
           "cycles/miss");
    if (cache_bytes(&e002_cache) == PUBLISHED_BYTES) /* other sizes are not the document's case */
        figure("H2.7", "sets x line x ways",
               (s64)e002_cache.sets * e002_cache.line_bytes * e002_cache.ways * E6, "bytes");
    figure("H2.8", "time per read, one line more (version 3)", per_read, "ratio");
    figure("H2.8.rate", "misses a read, one line more (version 3)", miss_rate(over), "miss/read");
}

u32 e002_knee(void)
{
    u32 ways = e002_cache.ways;
    s64 rates[MODEL_WAYS + 3] = {0};
    u32 first = 0;

    for (u32 n = 1; n <= ways + 2; n++) {
        struct outcome o = probe_lines(NULL, "lines of one set", n, FEW_PASSES);

        rates[n] = miss_rate(&o);
        series("e002.lines", n, rates[n]);
    }
    /* With random replacement a few misses come until each line has a place, even if all fit. They
     * do not count: one line too many has half to two thirds of the misses that two have. */
    s64 few = cache_policy() == CACHE_RANDOM ? rates[ways + 2] / 3 : 0;

    for (u32 n = ways + 2; n; n--)
        if (rates[n] > few)
            first = n;
    kprintf("  A-9  misses a read by lines of one set: %u: %s, %u: %s, %u: %s\n", ways,
            fixed(rates[ways], 3), ways + 1, fixed(rates[ways + 1], 3), ways + 2,
            fixed(rates[ways + 2], 3));
    modelled("A-9", "lines of one set at which misses begin", first * E6, "lines", (ways + 1) * E6,
             0);
    return first;
}

void e002_conflict(void)
{
    u32 ways = e002_cache.ways;
    bool keeps_order = cache_policy() == CACHE_LRU || cache_policy() == CACHE_PLRU;
    struct outcome fit =
        probe_lines(keeps_order ? "A-1" : "A-2", "lines of one set, as many as ways", ways, PASSES);
    struct outcome over =
        probe_lines(keeps_order ? "A-1" : "A-2", "one line more", ways + 1, PASSES);

    rate_modelled(keeps_order ? "A-1.fit" : "A-2.fit", "misses a read, as many lines as ways",
                  &fit);
    rate_modelled(keeps_order ? "A-1.over" : "A-2.over", "misses a read, one line more than ways",
                  &over);
    published(&fit, &over);
}
