/* Document 003: what a page size that boot decides costs ordinary work. */
#include "experiments/e003.h"
#include "experiments/experiment.h"
#include "mm/pgtable.h"
#include "panic.h"

#define COMPUTE_BYTES 0x8000u
#define PASSES        16u

static struct stages stages;

static struct task *new_task(void (*entry)(void), u32 nr_args, const void *args)
{
    struct task *task = task_create(entry, nr_args, args);

    BUG_ON(!task);
    return task;
}

static void map(struct task *task, u32 base, u32 bytes)
{
    if (mm_map(task->mm, base, ALIGN_UP(bytes, PAGE_SIZE), VM_DATA))
        panic("e003: %u bytes cannot be mapped at 0x%08x", bytes, base);
}

/* H3.7: a small compile job, of the parts of document 000's. Its two marks are the first stage. */
static void mixed_workload(void)
{
    static const struct {
        u32 tables, pages, writes;
    } sizes[NR_GRANULES] = {{3, 16, 2}, {2, 8, 1}, {1, 4, 1}}; /* larger ones take longer */
    u32 granule = geometry_granule(&kernel_geometry);
    u32 span = PTE_PAGE_SPAN, base = e003_base();
    struct kernbench_args args = {
        .base = base,
        .stride = span,
        .tables = MIN(sizes[granule].tables, MAX(1, (TASK_SIZE - base) / span)),
        .pages = sizes[granule].pages,
        .writes = sizes[granule].writes,
        .page_size = PAGE_SIZE,
        .rounds = 1,
        .compute = 40000,
    };
    struct task *task = new_task((void (*)(void))user_kernbench, sizeof args / sizeof(u32), &args);

    for (u32 i = 0; i < args.tables; i++)
        map(task, base + i * span, pages_to_bytes(args.pages));
    e003_run_task(&stages, task);
    const u64 *event = stages.of[STAGE_NOTHING].event;

    figure("E-mixed.kernel", "compile job, kernel", (s64)event[GRANULE_EVENT_KERNEL_CYCLES] * E6,
           "cycles");
    figure("E-mixed.user", "compile job, user", (s64)event[GRANULE_EVENT_USER_CYCLES] * E6,
           "cycles");
    u64 reads = 0;

    for (u32 level = 0; level < 4; level++)
        reads += event[GRANULE_EVENT_WALK_READ_L0 + level];
    figure("E-walk.reads", "compile job, descriptors read by walks", (s64)reads * E6, "reads");
    figure("E-walks", "compile job, walks", (s64)event[GRANULE_EVENT_WALKS] * E6, "walks");
    figure("E-mixed.all", "compile job, all", (s64)stages.of[STAGE_NOTHING].cycles * E6, "cycles");
}

/* H3.8: the document's is a browser's benchmark; ours only has in common that the kernel idles. */
static void compute_bound(void)
{
    const u32 args[] = {USER_DATA, COMPUTE_BYTES, PAGE_SIZE, PASSES};
    struct task *task = new_task((void (*)(void))user_compute, ARRAY_SIZE(args), args);

    map(task, args[0], COMPUTE_BYTES);
    e003_run_task(&stages, task);
    figure("E-compute", "work without the kernel", (s64)stages.of[STAGE_COMPUTE].cycles * E6,
           "cycles");
}

/* H3.10: the MMU's field 1, 2, 3 means a page of 2^(2 * field + 10) bytes. All three, two digits
 * each. */
static void encoding(void)
{
    u32 shifts = 0;

    for (u32 i = 0; i < NR_GRANULES; i++) {
        struct geometry g;

        BUG_ON(geometry_init(&g, GRANULE_SHIFT(i), ENTRY_64, USER_VA_BITS));
        shifts = shifts * 100 + 2 * geometry_tlbi_tg(&g) + 10;
    }
    arithmetic("H3.10", "page shifts of the three encodings", shifts, "shifts", 121416);
}

void e003_mixed(void)
{
    mixed_workload();
    compute_bound();
    encoding();
}
