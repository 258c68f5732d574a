/* Document 003: what a page size that boot decides costs fork and munmap.
 *
 * The document compares images: this one (its figures by themselves say little) with one whose
 * page size the compiler knew. `make images` builds those from the same sources, each runs this
 * experiment, and the host divides (tb/tools/images). All counts are of one system call. Two
 * sizes are measured, so that the loop over entries (the difference) can be told from what a fork
 * costs once; clearing a new table is measured apart and taken off.
 */
#include "errno.h"
#include "experiments/e003.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "lib/bootargs.h"
#include "lib/string.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

static u32 wanted_pages; /* forkpages=: 0 is what fits the demo */

static int setup_forkpages(char *arg)
{
    s32 pages;

    if (parse_decimal(arg, &pages) || pages < 2) {
        kprintf("forkpages='%s' is no number of pages from 2 on\n", arg ? arg : "");
        return -EINVAL;
    }
    wanted_pages = (u32)pages;
    return 0;
}
early_param("forkpages", setup_forkpages);

/* Clearing pages takes most of the time; nothing of it is measured. */
static u32 nr_pages(void)
{
    static const u32 demo[NR_GRANULES] = {192, 64, 8};
    u32 pages = wanted_pages ? wanted_pages : demo[geometry_granule(&kernel_geometry)];

    /* Half of them are mapped at a time beside the tables of parent and child. */
    if (pages > zones[ZONE_HIGH].free + zones[ZONE_LOW].free / 2)
        panic("forkpages=%u: only %u pages are free; give more highmem", pages, nr_free_pages());
    return pages;
}

static struct stages *now; /* of the task that runs */
static u32 tables_before;
static bool auditing; /* it takes as long as a fork */

/* A second snapshot would disturb the first: the counters are read last before a stage, and first
 * after it. */
static void at_mark(u32 number)
{
    u32 stage = number / 2;
    struct pmu_snapshot *s = &now->of[stage];

    if (number == STAGE_BEGIN(stage)) {
        if (stage == STAGE_MUNMAP && auditing)
            now->digest = mm_audit(current_mm).digest;
        tables_before = nr_pagetable;
        pmu_snapshot(s);
        return;
    }
    pmu_since(s);
    now->tables[stage] = nr_pagetable - tables_before;
}

/* Takes off what two marks with nothing between them cost. */
static void subtract_marks(struct stages *stages)
{
    const struct pmu_snapshot *nothing = &stages->of[STAGE_NOTHING];

    for (u32 stage = STAGE_FORK; stage <= STAGE_MUNMAP; stage++) {
        stages->of[stage].cycles -= nothing->cycles;
        stages->of[stage].instret -= nothing->instret;
    }
}

void e003_run_task(struct stages *stages, struct task *task)
{
    memset(stages, 0, sizeof *stages);
    now = stages;
    task_mark_hook = at_mark;
    s32 code = task_run(task);

    task_mark_hook = NULL;
    if (code)
        panic("e003: the task ended with %d", code);
}

static void run_forkbench(struct stages *stages, u32 pages, bool warm)
{
    const u32 args[] = {e003_base(), pages_to_bytes(pages), PAGE_SIZE, warm};

    if (args[1] > TASK_SIZE - args[0])
        panic("e003: %u pages do not fit below 0x%08x", pages, TASK_SIZE);
    struct task *task = task_create((void (*)(void))user_forkbench, ARRAY_SIZE(args), args);

    BUG_ON(!task);
    auditing = warm;
    e003_run_task(stages, task);
    subtract_marks(stages);
}

/* Cycles and instructions of making a PTE page, cleared; at fork the child needs new ones. */
static struct pmu_snapshot table_cost;

static void measure_table(void)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm);
    pmu_snapshot(&table_cost);
    struct page *table = pte_alloc_one(mm);

    pmu_since(&table_cost);
    BUG_ON(!table);
    pte_free(mm, table);
    mmput(mm);
}

/* What was done to `pages` entries, and to the second half of them, per entry. */
static void per_pte(const char *id, const char *what, const char *unit, u64 all, u64 half,
                    u32 pages)
{
    char name[32], text[64];

    ksnprintf(name, sizeof name, "E-%s", id);
    ksnprintf(text, sizeof text, "%s of the whole call", what);
    figure(name, text, ratio_e6((s64)all, pages), unit);
    ksnprintf(name, sizeof name, "E-%s.loop", id);
    ksnprintf(text, sizeof text, "%s of its turn in the loop", what);
    figure(name, text, ratio_e6((s64)(all - half), pages - pages / 2), unit);
}

static void report_stage(u32 stage, const char *id, const struct stages *all,
                         const struct stages *half, u32 pages)
{
    const struct pmu_snapshot *a = &all->of[stage], *h = &half->of[stage];
    u32 tables = stage == STAGE_MUNMAP ? 0 : all->tables[stage] - half->tables[stage];
    char name[32], what[32];

    kprintf("  %-14s %8llu %8llu %8llu %8llu\n", id, a->cycles, a->instret, h->cycles, h->instret);
    ksnprintf(what, sizeof what, "%s: cycles", id);
    per_pte(id, what, "cycles/PTE", a->cycles, h->cycles + tables * table_cost.cycles, pages);
    ksnprintf(name, sizeof name, "%s.instructions", id);
    ksnprintf(what, sizeof what, "%s: instructions", id);
    per_pte(name, what, "instructions/PTE", a->instret, h->instret + tables * table_cost.instret,
            pages);
}

static void e003_run(void)
{
    static struct stages all, half; /* too large for the stack */
    u32 pages = nr_pages();

    measure_table();
    run_forkbench(&half, pages / 2, false);
    run_forkbench(&all, pages, true);
    kprintf("  pages          %8u          %8u\n", pages, pages / 2);
    kprintf("                   cycles  instret   cycles  instret\n");
    report_stage(STAGE_FORK, "fork", &all, &half, pages);
    report_stage(STAGE_FORK_AGAIN, "fork2", &all, &half, pages);
    report_stage(STAGE_MUNMAP, "munmap", &all, &half, pages);
    figure("E-table", "making and clearing one table", (s64)table_cost.cycles * E6, "cycles");
    figure("E-digest", "digest of the page tables", (s64)all.digest * E6, "number");
    e003_mixed();
}
EXPERIMENT(e003, "e003", "page size at boot (document 003)", e003_run, 9);
