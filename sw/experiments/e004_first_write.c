/* What the first write to a hole page that was read before costs: storage comes in the place of
 * zeros. One fault with the new method; with the old one a second makes the PTE writable. */
#include "drivers/pmu.h"
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "kernel/uaccess.h"
#include "panic.h"

#define PAGES 4u

struct first_write {
    u32 faults;
    u64 cycles;
};

static struct first_write write_after_read(enum dax_hole_method method)
{
    struct inode *file = new_inode("/dax/written", PAGES << PAGE_SHIFT);
    enum dax_hole_method before = dax_hole_method;
    struct mm *mm = mm_alloc();
    struct first_write w = {0};
    u32 word = 0;

    BUG_ON(!file || !mm ||
           mm_map_file(mm, HOLE_BASE, PAGES << PAGE_SHIFT, VM_DATA | VM_SHARED, file, 0));
    dax_hole_method = method;
    mm_switch(mm);
    for (u32 i = 0; i < PAGES; i++) {
        vaddr_t page = HOLE_BASE + (i << PAGE_SHIFT);

        BUG_ON(get_user(&word, page) || word);
        w.faults -= fault_stats.faults;
        w.cycles -= pmu_cycles();
        BUG_ON(put_user(i + 1, page));
        w.cycles += pmu_cycles();
        w.faults += fault_stats.faults;
        BUG_ON(get_user(&word, page) || word != i + 1);
    }
    mmput(mm);
    iput(file);
    dax_hole_method = before;
    return w;
}

void e004_first_write(void)
{
    struct first_write old = write_after_read(DAX_HOLE_PAGECACHE);
    struct first_write zero = write_after_read(DAX_HOLE_ZERO_PAGE);

    kprintf("  first write to a page that was read: old %s faults, %s cycles; new %s, %s\n",
            fixed(ratio_e6(old.faults, PAGES), 0), fixed(ratio_e6((s64)old.cycles, PAGES), 0),
            fixed(ratio_e6(zero.faults, PAGES), 0), fixed(ratio_e6((s64)zero.cycles, PAGES), 0));
    arithmetic("H4.write-faults", "faults of 4 first writes, new method", zero.faults, "faults",
               PAGES);
    arithmetic("H4.write-faults-old", "faults of 4 first writes, old method", old.faults, "faults",
               2 * PAGES);
    figure("H4.write-new", "first write to a page that was read, new",
           ratio_e6((s64)zero.cycles, PAGES), "cycles");
    figure("H4.write-old", "first write to a page that was read, old",
           ratio_e6((s64)old.cycles, PAGES), "cycles");
}
