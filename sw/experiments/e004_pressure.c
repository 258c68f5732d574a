/* The strongest difference between the two methods: a hole that is larger than free memory. */
#include "errno.h"
#include "experiments/ballast.h"
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "panic.h"

#define LEFT 10u /* pages; the task itself and its tables need some */
#define HOLE 12u

static s32 read_under_pressure(enum dax_hole_method method, u32 *lost)
{
    struct hole_read r = {.method = method, .pages = HOLE};

    r.file = new_inode("/dax/large", (u64)HOLE << PAGE_SHIFT);
    BUG_ON(!r.file);
    u32 ballast = ballast_take(LEFT), free = nr_free_pages();

    e004_read(&r);
    iput(r.file);
    *lost += free - nr_free_pages();
    ballast_drop(ballast);
    return r.exit_code;
}

void e004_pressure(void)
{
    u32 lost = 0;

    kprintf("  a hole of %u pages, %u pages of memory are free:\n", HOLE, LEFT);
    s32 old = read_under_pressure(DAX_HOLE_PAGECACHE, &lost);
    s32 zero = read_under_pressure(DAX_HOLE_ZERO_PAGE, &lost);

    kprintf("  old method: %s; zero page: %s\n", old ? "out of memory" : "read",
            zero ? "out of memory" : "read");
    invariant("F.3.oom", "old method read the hole, or the zero page did not",
              (old == 0) + (zero != 0));
    invariant("F.3.oom-back", "pages that did not come back", lost);
}
