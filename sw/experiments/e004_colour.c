/* What the reader of a hole gets: with the zero page all pages share a few lines of the cache, one
 * for each colour; with pages of the page cache each has a line of its own, in few sets. */
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/zero_page.h"
#include "panic.h"
#include "user/probe.h"
#include "user/user.h"

#define PAGES  16u /* more than a cache has ways */
#define PASSES 65u

/* Misses of a read, once everything is mapped and in the TLB. */
static s64 misses_e6(enum dax_hole_method method)
{
    const u32 args[] = {HOLE_BASE, PAGE_SIZE, PAGES, PASSES, 0, 0};
    struct task *task = task_create((void (*)(void))user_probe, ARRAY_SIZE(args), args);
    struct inode *file = new_inode("/dax/colours", (u64)PAGES << PAGE_SHIFT);
    enum dax_hole_method before = dax_hole_method;
    struct probe_report report;

    if (!task || !file ||
        mm_map_file(task->mm, HOLE_BASE, PAGES << PAGE_SHIFT, VM_DATA | VM_SHARED, file, 0))
        panic("e004: no task that reads %u pages again and again", PAGES);
    dax_hole_method = method;
    if (task_run(task))
        panic("e004: the reading loop did not run");
    dax_hole_method = before;
    iput(file);
    memcpy(&report, task_report, sizeof report);
    return ratio_e6(report.steady.l1d_miss, PAGES * (PASSES - 1));
}

void e004_colours(void)
{
    s64 zero = misses_e6(DAX_HOLE_ZERO_PAGE), old = misses_e6(DAX_HOLE_PAGECACHE);

    kprintf("  %u pages of a hole read again and again: %s misses a read, %s with the page cache\n",
            PAGES, fixed(zero, 3), fixed(old, 3));
    figure("H4.miss-new", "cache misses of a read of 16 pages of a hole, new", zero, "misses/read");
    figure("H4.miss-old", "cache misses of a read of 16 pages of a hole, old", old, "misses/read");
}
