/* Document 002: coloured zero pages. Runs of linux-mm A.4.
 *
 * A-1 reads lines that share one set: as many as there are ways, and one more.
 * read untouched memory, which maps zero pages, under three policies: one page, one per colour (way
 * / page), and the document's rule (cache / page). The loop runs in a task over mappings that its
 * own faults made; interrupts are off.
 */
#include "drivers/cache.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/zero_page.h"
#include "panic.h"
#include "user/probe.h"
#include "user/user.h"

#define PASSES     1000u
#define ZERO_READS 8u /* pages of untouched memory that are read, as in the model's table */

/* Tolerances of the verdicts */
#define RATE_TOLERANCE (E6 / 100) /* of a steady-state rate that the policy predicts */

static struct cache_geometry cache;
static u32 dtlb_misses; /* of all measured loops; must stay 0 */
static u32 violations;  /* found in the tables of the tasks */

/* The task has read its last zero: its mappings are looked at before they go. */
static void at_mark(u32 mark)
{
    (void)mark;
    violations += mm_audit(current_mm).violations;
}

struct outcome {
    u32 n, reads;
    struct probe_report r;
};

static struct outcome probe(const char *run, const char *what, u32 stride, u32 n, u32 flags)
{
    const u32 args[] = {USER_DATA, stride, n, PASSES, flags};
    struct task *task = task_create((void (*)(void))user_probe, ARRAY_SIZE(args), args);
    task_mark_hook = flags & PROBE_WRITE_FIRST ? NULL : at_mark;
    struct outcome o = {.n = n, .reads = n * (PASSES - 1)};

    if (!task || mm_map(task->mm, USER_DATA, ALIGN_UP(n * stride, PAGE_SIZE), VM_DATA) ||
        task_run(task) != 0)
        panic("e002: the probe of %s did not run", run);
    task_mark_hook = NULL;
    memcpy(&o.r, task_report, sizeof o.r);
    dtlb_misses += o.r.cold.dtlb_miss + o.r.steady.dtlb_miss;
    kprintf("  %-4s %-34s %2u %5u %6u %9s %6u %6u %8s %4u\n", run, what, n, o.r.cold.l1d_miss,
            o.r.steady.l1d_miss, fixed(ratio_e6(o.r.steady.l1d_miss, o.reads), 4),
            o.r.steady.l1d_evict, o.r.steady.l1d_alias_move,
            fixed(ratio_e6(o.r.steady.cycles, o.reads), 2), o.r.steady.dtlb_miss);
    return o;
}

/* Cold pass and steady passes together: what PASSES passes over a cold cache cost. */
static u32 all_misses(const struct outcome *o)
{
    return o->r.cold.l1d_miss + o->r.steady.l1d_miss;
}

static u32 all_moves(const struct outcome *o)
{
    return o->r.cold.l1d_alias_move + o->r.steady.l1d_alias_move;
}

static u32 all_cycles(const struct outcome *o)
{
    return o->r.cold.cycles + o->r.steady.cycles;
}

/* Steady misses per read with one line more than ways (linux-mm 2.4). */
static s64 predicted_rate(u32 ways)
{
    switch (cache_policy()) {
    case CACHE_LRU:
    case CACHE_PLRU:
        return E6;
    case CACHE_RANDOM:
        return ratio_e6(2, ways + 1);
    case CACHE_NRU:
        return ways == 16 ? 533000 : ways == 8 ? 571000 : ways == 4 ? 667000 : E6;
    }
    return E6;
}

static void run_a1(void)
{
    u32 way = cache_way_bytes(&cache), ways = cache.ways;
    struct outcome fit =
        probe("A-1", "lines of one set, as many as ways", way, ways, PROBE_WRITE_FIRST);
    struct outcome over = probe("A-1", "one line more", way, ways + 1, PROBE_WRITE_FIRST);
    s64 rate = ratio_e6(over.r.steady.l1d_miss, over.reads), wanted = predicted_rate(ways);
    s64 total = ratio_e6(over.r.steady.cycles, fit.r.steady.cycles);
    s64 per_read = total * (s64)fit.n / (s64)over.n;
    s64 net_fit = ratio_e6((s64)fit.r.steady.cycles - fit.r.empty.cycles, fit.reads);
    s64 net_over = ratio_e6((s64)over.r.steady.cycles - over.r.empty.cycles, over.reads);
    s64 extra = (s64)over.r.steady.cycles - (s64)fit.r.steady.cycles * over.n / fit.n;
    u32 extra_misses = over.r.steady.l1d_miss - fit.r.steady.l1d_miss;

    kprintf("  A-3  time, one line more: %sx in all, %sx per read; without the loop %s -> %s "
            "cycles a read\n",
            fixed(total, 3), fixed(per_read, 3), fixed(net_fit, 2), fixed(net_over, 2));
    kprintf(
        "       documents: 37,103 -> 4,687,932 misses (0.521 a read), time +14.07 %%, +1.40 %% a "
        "read;\n       v3: 43,429 -> 9,038,460 (1.004 a read), 2.41x, 2.15x a read\n");
    modelled("A-1.fit", "misses a read, as many lines as ways",
             ratio_e6(fit.r.steady.l1d_miss, fit.reads), "miss/read", 0, 0);
    modelled("A-1.over", "misses a read, one line more than ways", rate, "miss/read", wanted,
             RATE_TOLERANCE);
    figure("H2.1", "misses a read, as many lines as ways",
           ratio_e6(fit.r.steady.l1d_miss, fit.reads), "miss/read");
    figure("H2.2", "misses a read, one line more than ways", rate, "miss/read");
    figure("H2.4", "time of 9 reads over 8, all in all", (total - E6) * 100, "percent");
    figure("H2.5", "time of 9 reads over 8, per read", (per_read - E6) * 100, "percent");
    figure("H2.6", "cycles of one more miss", extra_misses ? ratio_e6(extra, extra_misses) : 0,
           "cycles/miss");
    figure("H2.7", "sets x line x ways", (s64)cache_bytes(&cache) * E6, "bytes");
    figure("H2.8", "time per read, one line more (version 3)", per_read, "ratio");
    figure("H2.8.rate", "misses a read, one line more (version 3)", rate, "miss/read");
}

/* One set of zero-page readings; not repeated when a policy gives as many pages as the one before.
 */
static struct outcome zero_run(const char *run, enum zero_policy policy, const struct outcome *last)
{
    static const char *const names[] = {"one zero page", "one per colour (way / page)",
                                        "document's rule (cache / page)"};
    u32 before = zero_colours();
    char what[64];

    zero_pages_switch(policy, &cache);
    ksnprintf(what, sizeof what, "%s: %u", names[policy], zero_colours());
    if (!last || zero_colours() != before)
        return probe(run, what, PAGE_SIZE, ZERO_READS, 0);
    kprintf("  %-4s %-34s as above\n", run, what);
    return *last;
}

/* Ways no larger than a page: the number of zero pages only costs cold misses. */
static void run_a4(const struct outcome *single, const struct outcome *total, u32 total_pages)
{
    u32 wanted = MIN(ZERO_READS, total_pages);

    modelled("A-4.single", "misses, one zero page", (s64)all_misses(single) * E6, "misses", E6, 0);
    modelled("A-4.total", "misses, document's rule cache / page", (s64)all_misses(total) * E6,
             "misses", (s64)wanted * E6, 0);
    if (all_misses(single) == 1 && all_misses(total) == wanted)
        kprintf("       no thrash either way: the document's test was no test of zero pages\n");
}

/* Ways larger than a page: the machine that the author could not find. */
static void run_a5(const struct outcome *single, const struct outcome *coloured)
{
    u32 few = all_misses(coloured) ? all_misses(coloured) : 1;
    u32 few_moves = all_moves(coloured) ? all_moves(coloured) : 1;
    u32 reads = ZERO_READS * PASSES, colours = cache_colours(&cache, PAGE_SHIFT);

    modelled("A-5.single", "misses, one zero page", (s64)all_misses(single) * E6, "misses",
             (s64)reads * E6, 0);
    modelled("A-5.coloured", "misses, one zero page per colour", (s64)all_misses(coloured) * E6,
             "misses", (s64)MIN(ZERO_READS, colours) * E6, 0);
    figure("A-5.fewer", "how many times fewer misses", ratio_e6(all_misses(single), few), "ratio");
    figure("A-5.moves", "how many times fewer alias moves", ratio_e6(all_moves(single), few_moves),
           "ratio");
    figure("A-5.saved", "cycles saved by colouring",
           ((s64)all_cycles(single) - all_cycles(coloured)) * E6, "cycles");
    figure("A-5.faster", "how many times faster",
           ratio_e6(all_cycles(single), all_cycles(coloured)), "ratio");
}

/* A larger page swallows the colours (linux-mm 2.3). The cache is 32 KiB, as in the document. */
static void run_a8(u32 total_pages, const struct outcome *single)
{
    static const struct {
        u32 ways, colours[3], rule[3]; /* at 4K, 16K, 64K */
    } rows[] = {
        {8, {1, 1, 1}, {8, 2, 1}},
        {4, {2, 1, 1}, {8, 2, 1}},
        {2, {4, 1, 1}, {8, 2, 1}},
        {1, {8, 2, 1}, {8, 2, 1}},
    };
    u32 column = geometry_granule(&kernel_geometry), colours = cache_colours(&cache, PAGE_SHIFT);

    for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].ways != cache.ways || cache_bytes(&cache) != 32768)
            continue;
        arithmetic("A-8.colours", "useful colours, way / page", colours, "pages",
                   rows[i].colours[column]);
        arithmetic("A-8.rule", "document's rule, cache / page", total_pages, "pages",
                   rows[i].rule[column]);
    }
    if (colours == 1)
        invariant("A-8.moves", "alias moves, colours collapsed", all_moves(single));
}

static void e002_run(void)
{
    cache_get_info(CACHE_DATA, &cache);
    dtlb_misses = violations = 0;
    kprintf("  %u sets x %u ways x %u B = %s, %s; way %s, page %s: colours %u; %u passes\n",
            cache.sets, cache.ways, cache.line_bytes, bytes_text(cache_bytes(&cache)),
            cache_policy_name(cache_policy()), bytes_text(cache_way_bytes(&cache)),
            bytes_text(PAGE_SIZE), cache_colours(&cache, PAGE_SHIFT), PASSES);
    kprintf("  run  what                                n  cold misses miss/read evicts  moves "
            "cyc/read dtlb\n");
    run_a1();

    bool aliases = cache_colours(&cache, PAGE_SHIFT) > 1 && cache_alias_exclusive();
    const char *run = aliases ? "A-5" : "A-4";
    struct outcome single = zero_run(run, ZP_SINGLE, NULL);
    struct outcome coloured = zero_run(run, ZP_WAY, &single);
    struct outcome total = zero_run(run, ZP_TOTAL, &coloured);
    u32 total_pages = zero_colours();

    zero_pages_switch(ZP_WAY, &cache);
    if (aliases)
        run_a5(&single, &coloured);
    else
        run_a4(&single, &total, total_pages);
    run_a8(total_pages, &single);
    invariant("A.dtlb", "data TLB misses of the measured loops", dtlb_misses);
    invariant("A.2.5-run", "writable or wrong zero mappings", violations);
}
EXPERIMENT(e002, "e002", "coloured zero pages (document 002)", e002_run, 1);
