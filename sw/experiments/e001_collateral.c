/* What a flush makes others walk again. R pages of a task are live in the TLB; an operation on
 * other addresses follows, and then the R pages are touched. The price of the operation is what
 * both take longer than the touching alone: its own cycles, the walks for the task's entries, and
 * those for the entries of the kernel that runs all this. */
#include "drivers/pmu.h"
#include "experiments/e001.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "mm/mm.h"
#include "mm/tlb.h"
#include "panic.h"

#define LIVE_MAX 16u /* entries of the data TLB */
#define LIVE_FIT 8u  /* so many stay together with the kernel's own */

enum operation { NONE, PAGE, RANGE, ALL, OPERATIONS };

static const char *const names[] = {"none", "page", "range", "all"};

struct price {
    s64 cycles, misses, fetch_misses, walk_cycles, table_reads;
};

static void operate(enum operation op)
{
    if (op == PAGE)
        pkmap_flush_slots(0, 1);
    else if (op == RANGE)
        pkmap_flush_slots(0, E001_PAGES);
    else if (op == ALL)
        flush_tlb_all();
}

/* Each page at another line, so that the data cache holds them all. */
static void touch(u32 live)
{
    for (u32 i = 0; i < live; i++)
        *(volatile u32 *)(uintptr_t)(USER_DATA + (i << PAGE_SHIFT) + 64 * i);
}

static struct price price_of(enum operation op, u32 live)
{
    struct pmu_snapshot s;

    flush_tlb_all(); /* no entries of what ran before: the oldest goes first, used or not */
    for (u32 pass = 0; pass < 2; pass++) { /* the second counts, warm */
        touch(live);
        touch(live);
        pmu_snapshot(&s);
        operate(op);
        touch(live);
        pmu_since(&s);
    }
    const u64 *e = s.event;

    return (struct price){(s64)s.cycles, (s64)e[GRANULE_EVENT_DTLB_MISS],
                          (s64)e[GRANULE_EVENT_ITLB_MISS], (s64)e[GRANULE_EVENT_WALK_CYCLES],
                          (s64)(e[GRANULE_EVENT_WALK_READ_L0] + e[GRANULE_EVENT_WALK_READ_L1] +
                                e[GRANULE_EVENT_WALK_READ_L2])};
}

static struct price minus(struct price a, struct price b)
{
    return (struct price){a.cycles - b.cycles, a.misses - b.misses, a.fetch_misses - b.fetch_misses,
                          a.walk_cycles - b.walk_cycles, a.table_reads - b.table_reads};
}

static void points(u32 live, const struct price *prices)
{
    char name[32];

    for (enum operation op = PAGE; op < OPERATIONS; op++) {
        const struct price *p = &prices[op];

        ksnprintf(name, sizeof name, "e001.price.%s", names[op]);
        series(name, live, p->cycles * E6);
        ksnprintf(name, sizeof name, "e001.misses.%s", names[op]);
        series(name, live, (p->misses + p->fetch_misses) * E6);
    }
}

static struct mm *task_pages(void)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm || mm_map(mm, USER_DATA, LIVE_MAX << PAGE_SHIFT, VM_DATA));
    mm_switch(mm);
    for (u32 i = 0; i < LIVE_MAX; i++)
        BUG_ON(put_user(i, USER_DATA + (i << PAGE_SHIFT) + 64 * i));
    return mm;
}

/* One row of the table: prices[NONE] is what touching alone takes, the others are beyond that. */
static void row(u32 live, struct price *prices)
{
    prices[NONE] = price_of(NONE, live);
    kprintf("  %4u", live);
    for (enum operation op = PAGE; op < OPERATIONS; op++) {
        struct price p = minus(price_of(op, live), prices[NONE]);

        kprintf("  | %5d %4d %4d %5d %4d", (s32)p.cycles, (s32)p.misses, (s32)p.fetch_misses,
                (s32)p.walk_cycles, (s32)p.table_reads);
        prices[op] = p;
    }
    kprintf("\n");
    points(live, prices);
}

static u32 beyond_zero(s64 count)
{
    return count > 0 ? (u32)count : 0;
}

static void print_figures(const struct price *p, const struct e001_costs *costs)
{
    s64 nstar = ratio_e6(p[ALL].cycles * E6, costs->loop);

    kprintf(
        "  with %u live: everything costs as much as %s pages one by one; a range of any length "
        "costs %s\n",
        LIVE_FIT, fixed(nstar, 1), p[RANGE].cycles < p[ALL].cycles ? "less" : "no less");
    figure("H1.all-live", "flush of everything with 8 entries live, and its refill",
           p[ALL].cycles * E6, "cycles");
    figure("H1.walked", "entries that it makes others walk for again",
           (p[ALL].misses + p[ALL].fetch_misses) * E6, "walks");
    figure("H1.nstar", "pages that cost as much as everything, 8 entries live", nstar, "pages");
}

void e001_collateral(const struct e001_costs *costs)
{
    struct mm *mm = task_pages();
    struct price p[OPERATIONS];
    u32 walked = 0, tables = 0;

    kprintf("  price of one operation while R pages of a task are live (cycles, data and fetch "
            "misses,\n  walk cycles, table entries read); beyond %u the TLB overflows by itself\n",
            LIVE_FIT);
    kprintf("     R  |  page                       |  range of 1024              |  all\n");
    csr_set_named(sstatus, SSTATUS_SUM);
    for (u32 live = 0; live <= LIVE_MAX; live += e001_full ? 1 : 4) {
        row(live, p);
        series("e001.crossover", live, ratio_e6(p[ALL].cycles * E6, costs->loop));
        if (live > LIVE_FIT)
            continue;
        for (enum operation op = PAGE; op <= RANGE; op++) {
            walked += beyond_zero(p[op].misses) + beyond_zero(p[op].fetch_misses);
            tables += beyond_zero(p[op].table_reads);
        }
        if (live == LIVE_FIT)
            print_figures(p, costs);
    }
    csr_clear_named(sstatus, SSTATUS_SUM);
    mm_switch(NULL);
    mmput(mm);
    invariant("D.2.2", "entries lost beside a page or range flush", walked);
    invariant("D.2.tables", "tables walked again after a flush of leaves", tables);
}
