/* Document 002, run A-3: the time of a read with other work beside it.
 *
 * The document's loops took 27 and 37 ns a read, so most of their time was no memory. How much,
 * it does not say; so here the work is swept, and no amount of it is chosen. With c cycles of the
 * loop, m misses a read of p cycles each, a read with w instructions of work beside it takes
 * c + m * p + slope * w. Without work, a pass of `ways` + 1 reads takes a little longer if its last
 * read misses, so m times: one branch is guessed wrongly. The pass's end learns from a guess that
 * fetch made before the branch of that read, which waited, was learned; one instruction of work is
 * time enough. */
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "mm/page.h"
#include "user/probe_work.h"

#define STEPS       5u                 /* 0, 4, 16, 32 and 64 instructions */
#define TOLERANCE   (2 * E6)           /* percent that a point may lie beside the line */
#define VERSION_1   (1014 * E6 / 1000) /* time per read, one line more */
#define VERSION_3   (2150 * E6 / 1000)
#define RATE_1      (521 * E6 / 1000) /* its misses a read */
#define WRONG_GUESS (3 * E6)          /* cycles */

static const u32 work[STEPS] = {0, 4, 16, 32, PROBE_MOST_WORK};

/* Of a read; in millionths. */
struct point {
    s64 cycles, misses;
};

static struct point read_time(u32 n, u32 instructions)
{
    u32 way = cache_way_bytes(&e002_cache);
    const struct loop loop = {.what = "lines of one set with work",
                              .base = USER_DATA,
                              .stride = way,
                              .n = n,
                              .passes = FEW_PASSES,
                              .own_pages = ALIGN_UP(n * way, PAGE_SIZE) >> PAGE_SHIFT,
                              .frame_step = 1,
                              .flags = PROBE_WORK,
                              .work = instructions};
    struct outcome o = probe(&loop);

    return (struct point){read_cycles(&o), miss_rate(&o)};
}

/* Least squares: cycles for one instruction more, in millionths. */
static s64 slope(const s64 *time)
{
    s64 sum_w = 0, sum_t = 0, sum_ww = 0, sum_wt = 0;

    for (u32 i = 0; i < STEPS; i++) {
        sum_w += work[i];
        sum_t += time[i];
        sum_ww += work[i] * work[i];
        sum_wt += work[i] * time[i];
    }
    return (STEPS * sum_wt - sum_w * sum_t) / (STEPS * sum_ww - sum_w * sum_w);
}

/* The times without what the misses of each took, of which one takes `miss`. */
static void without_misses(s64 *time, const struct point *at, s64 miss)
{
    for (u32 i = 0; i < STEPS; i++)
        time[i] = at[i].cycles - at[i].misses * miss / E6;
}

/* How far the worst point lies beside `start` + `each` * work, in millionths of a percent of its
 * whole time. */
static s64 worst(const s64 *time, const struct point *at, s64 start, s64 each)
{
    s64 most = 0;

    for (u32 i = 0; i < STEPS; i++) {
        s64 off = 100 * ratio_e6(time[i] - start - each * work[i], at[i].cycles);

        most = MAX(most, off < 0 ? -off : off);
    }
    return most;
}

void e002_work(void)
{
    u32 ways = e002_cache.ways;
    struct point fit[STEPS], over[STEPS];
    s64 hits[STEPS], misses[STEPS];

    for (u32 i = 0; i < STEPS; i++) {
        fit[i] = read_time(ways, work[i]);
        over[i] = read_time(ways + 1, work[i]);
        series("e002.work.fit", work[i], fit[i].cycles);
        series("e002.work.over", work[i], over[i].cycles);
    }
    kprintf("  A-3  cycles a read with other work beside it\n       instructions %2u lines %2u "
            "lines  ratio\n",
            ways, ways + 1);
    for (u32 i = 0; i < STEPS; i++)
        kprintf("       %12u %8s %8s %6s\n", work[i], fixed(fit[i].cycles, 2),
                fixed(over[i].cycles, 2), fixed(ratio_e6(over[i].cycles, fit[i].cycles), 3));

    figure("A-3.miss", "cycles a read more, one line more than ways",
           over[0].cycles - fit[0].cycles, "cycles");
    fit[0].cycles -= WRONG_GUESS * fit[0].misses / E6 / ways;
    over[0].cycles -= WRONG_GUESS * over[0].misses / E6 / (ways + 1);
    s64 more_misses = over[0].misses - fit[0].misses;
    s64 p = more_misses ? ratio_e6(over[0].cycles - fit[0].cycles, more_misses) : 0;

    without_misses(hits, fit, p);
    without_misses(misses, over, p);
    s64 c = hits[0], mp = over[0].cycles - c, each = slope(hits);
    s64 more = VERSION_3 - E6, published_1 = VERSION_1 - E6;

    figure("A-3.loop", "cycles a read that hits, without work", c, "cycles");
    figure("A-3.slope", "cycles a read for one instruction of work", each, "cycles");
    modelled("A-3.line", "distance of the worst point from the line",
             MAX(worst(hits, fit, hits[0], each), worst(misses, over, misses[0], each)), "percent",
             0, TOLERANCE);
    /* c + mp + w = ratio * (c + w), solved for w */
    figure("A-3.v3", "work at which version 3's 2.15x would lie",
           ratio_e6(mp - c * more / E6, more), "instructions");
    figure("A-3.v1", "work at which version 1's +1.40 % would lie",
           ratio_e6(mp * RATE_1 / E6 - c * published_1 / E6, published_1), "instructions");
}
