/* Document 000: time of all, with the document's mix of user and kernel time.
 *
 * Its task spent 9.2 times as long in user code as in the kernel (515.659 s and 55.9 s, tables in
 * lowmem). How long ours has to compute for that is measured, in two runs that also warm up. It
 * runs at 4K only, the document's page size: user time is most of what a simulation would wait for.
 */
#include "experiments/e000.h"
#include "experiments/experiment.h"

#define MIX_TENTHS 92    /* user time over kernel time */
#define MIX_TABLES 4u    /* of document 000's task: the mix counts, not how long it takes */
#define TRIAL      4000u /* loops of the run that tells what a loop costs */

/* Loops for which user time is MIX_TENTHS/10 of the kernel's. */
static u32 loops_of_the_mix(struct kernbench_args task)
{
    struct arm idle, busy;

    task.compute = 0;
    e000_run_arm(&idle, TABLES_LOW, &task);
    task.compute = TRIAL;
    e000_run_arm(&busy, TABLES_LOW, &task);
    s64 touching = (s64)e000_user_cycles(&idle);
    s64 wanted = (s64)e000_kernel_cycles(&busy) * MIX_TENTHS / 10 - touching;
    s64 loop_e6 = ratio_e6((s64)e000_user_cycles(&busy) - touching, TRIAL);

    return (u32)ratio_e6(wanted, loop_e6);
}

static void e000_mix_run(void)
{
    struct kernbench_args task;
    struct arm high, low;

    if (PAGE_SHIFT != GRANULE_SHIFT(0) || !e000_booted_high() || !e000_size_task(&task)) {
        kprintf("  needs pages of 4 KiB, PTE pages below the root and highmem for them\n");
        return;
    }
    task.tables = MIN(task.tables, MIX_TABLES);
    task.compute = loops_of_the_mix(task);
    kprintf("  the task computes %u loops\n", task.compute);
    e000_print_head();
    e000_run_arm(&high, TABLES_AS_BOOTED, &task);
    e000_print_arm(&high);
    e000_run_arm(&low, TABLES_LOW, &task);
    e000_print_arm(&low);
    figure("H0.2", "all cycles, highmem / nohigh",
           ratio_e6((s64)high.pmu.cycles, (s64)low.pmu.cycles), "ratio");
    figure("H0.3", "user cycles, highmem / nohigh",
           ratio_e6((s64)e000_user_cycles(&high), (s64)e000_user_cycles(&low)), "ratio");
    figure("H0.mix", "user cycles over kernel cycles, nohigh",
           ratio_e6((s64)e000_user_cycles(&low), (s64)e000_kernel_cycles(&low)), "times");
}
EXPERIMENT(e000_mix, "e000-mix", "document 000 with its mix of user and kernel time", e000_mix_run,
           3);
