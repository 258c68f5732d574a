/* Document 000: user PTE pages in highmem, and with userpte=nohigh in lowmem.
 *
 * Mini kernbench of linux-mm C.4. Both arms run in one boot, from one binary: first with the flags
 * that the boot chose, then after setup_userpte("nohigh"). In highmem each use of a PTE page costs
 * a kmap_local slot and its TLB invalidation; in lowmem only the test whether it is needed.
 * Booted with userpte=nohigh, both arms are alike: a control run, whose ratio must be 1.
 */
#include "drivers/cache.h"
#include "drivers/pmu.h"
#include "experiments/e000.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"
#include "user/user.h"

static struct arm arms[2];
static struct arm *now; /* the arm that runs */

/* The task reports its begin and its end. Both arms begin with empty caches and TLB. */
static void at_mark(u32 mark)
{
    if (mark == MARK_BEGIN) {
        now->maps = pte_map_stats.maps;
        now->slots = kmap_local_stats.maps;
        cache_flush_data();
        flush_tlb_all();
        pmu_snapshot(&now->pmu);
        return;
    }
    pmu_since(&now->pmu);
    now->maps = pte_map_stats.maps - now->maps;
    now->slots = kmap_local_stats.maps - now->slots;
    now->audit = mm_audit(current_mm);
}

static void map_groups(struct mm *mm, const struct kernbench_args *a)
{
    for (u32 t = 0; t < a->tables; t++)
        if (mm_map(mm, a->base + t * a->stride, a->pages * a->page_size, VM_DATA))
            panic("e000: the task's area %u of %u cannot be mapped", t, a->tables);
}

static void run_arm(struct arm *arm, const char *name, const struct kernbench_args *a)
{
    u32 tables = nr_pagetable, pages = nr_free_pages();
    struct task *task =
        task_create((void (*)(void))user_kernbench, sizeof *a / sizeof(u32), (const u32 *)a);

    BUG_ON(!task);
    *arm = (struct arm){.name = name};
    now = arm;
    task_mark_hook = at_mark;
    map_groups(task->mm, a);
    s32 code = task_run(task);

    task_mark_hook = NULL;
    if (code)
        panic("e000: kernbench ended with %d", code);
    arm->lost_pages = (s32)(pages - nr_free_pages());
    arm->lost_tables = (s32)(nr_pagetable - tables);
}

static void print_arm(const struct arm *arm)
{
    const u64 *e = arm->pmu.event;

    kprintf("  %-16s %9llu %9llu %9llu %6llu %6llu %6llu %6llu  %u/%u\n", arm->name,
            e[GRANULE_EVENT_KERNEL_CYCLES], e[GRANULE_EVENT_USER_CYCLES], arm->pmu.cycles,
            arm->maps, arm->slots, e[GRANULE_EVENT_TLBI_VA], e[GRANULE_EVENT_DTLB_MISS],
            arm->audit.pte_pages_high, arm->audit.pte_pages_low);
}

static u64 kernel_cycles(const struct arm *arm)
{
    return arm->pmu.event[GRANULE_EVENT_KERNEL_CYCLES];
}

static u64 user_cycles(const struct arm *arm)
{
    return arm->pmu.event[GRANULE_EVENT_USER_CYCLES];
}

static void compare_times(const struct arm *high, const struct arm *low)
{
    s64 kernel = ratio_e6((s64)kernel_cycles(high), (s64)kernel_cycles(low));
    s64 total = ratio_e6((s64)high->pmu.cycles, (s64)low->pmu.cycles);
    s64 user = ratio_e6((s64)user_cycles(high), (s64)user_cycles(low));

    figure("H0.1", "kernel cycles, highmem / nohigh", kernel, "ratio");
    figure("H0.2", "all cycles, highmem / nohigh", total, "ratio");
    figure("H0.3", "user cycles, highmem / nohigh", user, "ratio");
    if (high->slots > low->slots)
        figure("H0.map", "cost of one slot, from the whole run",
               ratio_e6((s64)(kernel_cycles(high) - kernel_cycles(low)),
                        (s64)(high->slots - low->slots)),
               "cycles/map");
}

/* Both arms run the same code on the same kind of memory; addresses of frames may differ. */
static void compare_control(const struct arm *a, const struct arm *b)
{
    s64 kernel = ratio_e6((s64)kernel_cycles(a), (s64)kernel_cycles(b));

    kprintf("  booted with userpte=nohigh, or without highmem: control run, expect 1\n");
    modelled("H0.1-control", "kernel cycles, nohigh / nohigh", kernel, "ratio", E6, E6 / 100);
}

static void check_invariants(const struct arm *first, const struct arm *low, bool high)
{
    u32 zone_errors = low->audit.pte_pages_high;

    if (high) /* there is free highmem, so every user PTE page must be there */
        zone_errors += first->audit.pte_pages_low;
    invariant("C.2.1", "PTE pages in the wrong zone", zone_errors);
    bool same = first->audit.digest == low->audit.digest && first->audit.ptes == low->audit.ptes &&
                first->audit.zero_ptes == low->audit.zero_ptes;

    invariant("C.2.3", "table contents that differ", !same);
    u32 lost =
        (u32)(first->lost_pages || first->lost_tables || low->lost_pages || low->lost_tables) +
        first->audit.violations + low->audit.violations;

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
    struct kernbench_args args;
    gfp_t boot_gfp = __userpte_alloc_gfp;
    bool high = (boot_gfp & __GFP_HIGHMEM) && zones[ZONE_HIGH].pages;

    e000_arithmetic();
    if (!e000_size_task(&args)) {
        kprintf("  one-level tables: the root holds the PTEs, nothing to place in highmem\n");
        return;
    }
    kprintf("  task: %u tables x %u pages of %s, %u written, %u rounds of fork, COW, exit, munmap, "
            "mmap\n",
            args.tables, args.pages, bytes_text(PAGE_SIZE), args.writes, args.rounds);
    kprintf("  PTE pages            kernel      user     total   maps  slots   tlbi   dtlb  "
            "high/low\n");
    run_arm(&arms[0], high ? "highmem" : "lowmem", &args);
    print_arm(&arms[0]);
    BUG_ON(setup_userpte("nohigh"));
    run_arm(&arms[1], "lowmem (nohigh)", &args);
    __userpte_alloc_gfp = boot_gfp;
    print_arm(&arms[1]);
    kprintf("  document: system 59.737 -> 55.9 s (1.0686), elapsed 175.396 -> 174.278 s (1.0064), "
            "user 0.9994\n");
    if (high)
        compare_times(&arms[0], &arms[1]);
    else
        compare_control(&arms[0], &arms[1]);
    check_invariants(&arms[0], &arms[1], high);
    walk_lengths(&arms[0]);
    if (high)
        e000_pair_cost();
}
EXPERIMENT(e000, "e000", "user page tables in highmem (document 000)", e000_run, 2);
