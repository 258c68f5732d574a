/* Document 000: user PTE pages in highmem, and with userpte=nohigh in lowmem.
 *
 * Mini kernbench of linux-mm C.4. All arms run in one boot, from one binary, in the order A B B A,
 * so that what drifts with time falls on both: A with the flags that the boot chose, B as after
 * userpte=nohigh. In highmem each use of a PTE page costs a kmap_local slot and its TLB
 * invalidation; in lowmem only the test whether it is needed. Booted with userpte=nohigh, A and B
 * are alike: a control run, whose ratio must be 1.
 */
#include "experiments/e000.h"
#include "experiments/experiment.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"

#define COMPUTE 20000u /* loops: user time enough to see whether the kernel disturbs it */

#define CONTROL_TOLERANCE (E6 / 200) /* of a ratio of two equal arms; H0.1 is 1.02 and more */

#define ARMS 4
static const enum e000_tables order[ARMS] = {TABLES_AS_BOOTED, TABLES_LOW, TABLES_LOW,
                                             TABLES_AS_BOOTED};
static struct arm arms[ARMS];

static u64 slots(const struct arm *arm)
{
    return arm->slots;
}

/* A sum over the arms of one kind. */
static s64 sum(enum e000_tables kind, u64 (*what)(const struct arm *))
{
    u64 total = 0;

    for (u32 i = 0; i < ARMS; i++)
        if (order[i] == kind)
            total += what(arms + i);
    return (s64)total;
}

static s64 high_over_low(u64 (*what)(const struct arm *))
{
    return ratio_e6(sum(TABLES_AS_BOOTED, what), sum(TABLES_LOW, what));
}

/* How far the first and the last arm, which are alike, lie apart, in percent. */
static s64 repeat_spread(void)
{
    s64 first = (s64)e000_kernel_cycles(arms), last = (s64)e000_kernel_cycles(arms + ARMS - 1);

    return 100 * ratio_e6(first > last ? first - last : last - first, (first + last) / 2);
}

/* H0.map and H0.rate carry over to other tasks: what one map costs, and how often there is one. */
static void compare_times(void)
{
    s64 low = sum(TABLES_LOW, e000_kernel_cycles);
    s64 more = sum(TABLES_AS_BOOTED, e000_kernel_cycles) - low;
    s64 maps = sum(TABLES_AS_BOOTED, slots) - sum(TABLES_LOW, slots);

    figure("H0.1", "kernel cycles, highmem / nohigh", high_over_low(e000_kernel_cycles), "ratio");
    figure("H0.user", "user cycles of this short task, highmem / nohigh",
           high_over_low(e000_user_cycles), "ratio");
    figure("H0.4", "kernel cycles of a repetition", repeat_spread(), "percent");
    figure("H0.map", "kernel cycles of one map of a PTE page", ratio_e6(more, maps), "cycles/map");
    figure("H0.rate", "maps of a PTE page in 1000 kernel cycles", 1000 * ratio_e6(maps, low),
           "maps");
}

/* All arms run the same code on the same kind of memory; addresses of frames may differ. */
static void compare_control(void)
{
    kprintf("  booted with userpte=nohigh, or without highmem: control run, expect 1\n");
    modelled("H0.1-control", "kernel cycles, nohigh / nohigh", high_over_low(e000_kernel_cycles),
             "ratio", E6, CONTROL_TOLERANCE);
}

static bool same_tables(const struct mm_audit *a, const struct mm_audit *b)
{
    return a->digest == b->digest && a->ptes == b->ptes && a->zero_ptes == b->zero_ptes;
}

static void check_invariants(bool high)
{
    u32 wrong_zone = 0, different = 0, lost = 0;

    for (u32 i = 0; i < ARMS; i++) {
        const struct arm *a = arms + i;

        if (order[i] == TABLES_LOW)
            wrong_zone += a->audit.pte_pages_high;
        else if (high) /* there is free highmem, so every user PTE page must be there */
            wrong_zone += a->audit.pte_pages_low;
        different += !same_tables(&a->audit, &arms[0].audit);
        lost += (u32)(a->lost_pages || a->lost_tables) + a->audit.violations;
    }
    invariant("C.2.1", "PTE pages in the wrong zone", wrong_zone);
    invariant("C.2.3", "arms whose tables hold something else", different);
    invariant("C.2.audit", "leaks and audit violations", lost);
}

/* What the walk cache is for: how many walks of the task needed one descriptor only. */
static void walk_lengths(const struct arm *arm)
{
    const u64 *e = arm->pmu.event;
    u64 reads = 0;

    for (unsigned level = 0; level < 4; level++)
        reads += e[GRANULE_EVENT_WALK_READ_L0 + level];
    figure("W-1", "walks that read one descriptor",
           ratio_e6((s64)e[GRANULE_EVENT_WALK_SINGLE], (s64)e[GRANULE_EVENT_WALKS]), "share");
    figure("W-2", "descriptors read by a walk", ratio_e6((s64)reads, (s64)e[GRANULE_EVENT_WALKS]),
           "reads/walk");
}

static void e000_run(void)
{
    struct kernbench_args task;
    bool high = e000_booted_high();

    e000_arithmetic();
    if (!e000_size_task(&task)) {
        kprintf("  one-level tables: the root holds the PTEs, nothing to place in highmem\n");
        return;
    }
    task.compute = COMPUTE;
    kprintf("  task: %u tables x %u pages of %s, %u written; fork, COW, exit, munmap, mmap\n",
            task.tables, task.pages, bytes_text(PAGE_SIZE), task.writes);
    e000_print_head();
    for (u32 i = 0; i < ARMS; i++) {
        e000_run_arm(arms + i, order[i], &task);
        e000_print_arm(arms + i);
    }
    if (high)
        compare_times();
    else
        compare_control();
    figure("H0.low", "kernel cycles of a run with its tables in lowmem",
           ratio_e6(sum(TABLES_LOW, e000_kernel_cycles), 2), "cycles");
    check_invariants(high);
    walk_lengths(&arms[0]);
    if (high)
        e000_pair_cost();
}
EXPERIMENT(e000, "e000", "user page tables in highmem (document 000)", e000_run, 2);
