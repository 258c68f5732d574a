/* Document 000: how H0.1 depends on the task. The more a task writes, the less of its kernel time
 * goes into maps of PTE pages; so H0.1 is a property of the task, H0.map is one of the machine. */
#include "experiments/e000.h"
#include "experiments/experiment.h"

#define PAGES 24u /* of a table; so many may be written */

static void e000_writes_run(void)
{
    static const u32 writes[] = {0, 1, 2, 4, 8, 16, PAGES};
    struct kernbench_args task;

    if (!e000_size_task(&task) || !e000_booted_high()) {
        kprintf("  needs PTE pages below the root, and highmem for them\n");
        return;
    }
    task.pages = PAGES;
    kprintf("  writes a table   H0.1     maps in 1000 kernel cycles   cycles of a map\n");
    for (u32 i = 0; i < ARRAY_SIZE(writes); i++) {
        struct arm high, low;

        task.writes = writes[i];
        e000_run_arm(&high, TABLES_AS_BOOTED, &task);
        e000_run_arm(&low, TABLES_LOW, &task);
        s64 kernel = (s64)e000_kernel_cycles(&low), maps = (s64)(high.slots - low.slots);
        s64 ratio = ratio_e6((s64)e000_kernel_cycles(&high), kernel);
        s64 rate = 1000 * ratio_e6(maps, kernel);
        s64 cost = ratio_e6((s64)e000_kernel_cycles(&high) - kernel, maps);

        kprintf("  %14u   %s   %s   %s\n", writes[i], fixed(ratio, 4), fixed(rate, 3),
                fixed(cost, 1));
        series("e000.writes.ratio", writes[i], ratio);
        series("e000.writes.rate", writes[i], rate);
        series("e000.writes.cost", writes[i], cost);
    }
}
EXPERIMENT(e000_writes, "e000-writes", "document 000 over the pages that a task writes",
           e000_writes_run, 9);
