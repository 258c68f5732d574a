/* Document 000: one run of its task, with user PTE pages in highmem or in lowmem. */
#include "drivers/cache.h"
#include "experiments/e000.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

/* The first place of each group in its PTE page differs, so that the entries of all groups are not
 * in the same set of the cache; twelve skews and a group still end inside a table of 512. */
#define SKEW_PAGES 40u

static struct arm *now; /* the arm that runs */

/* The task reports its begin and its end. All arms begin with empty caches and TLB. */
static void at_mark(u32 mark)
{
    if (mark == MARK_BEGIN) {
        now->maps = pte_map_stats.maps;
        now->slots = kmap_local_stats.maps;
        cache_flush_data();
        flush_icache();
        flush_tlb_all();
        pmu_snapshot(&now->pmu);
        return;
    }
    pmu_since(&now->pmu);
    now->maps = pte_map_stats.maps - now->maps;
    now->slots = kmap_local_stats.maps - now->slots;
    now->audit = mm_audit(current_mm);
}

bool e000_booted_high(void)
{
    return (__userpte_alloc_gfp & __GFP_HIGHMEM) && zones[ZONE_HIGH].pages;
}

static void map_groups(struct mm *mm, const struct kernbench_args *a)
{
    for (u32 t = 0; t < a->tables; t++)
        if (mm_map(mm, a->base + t * a->stride, a->pages * a->page_size, VM_DATA))
            panic("e000: the task's area %u of %u cannot be mapped", t, a->tables);
}

void e000_run_arm(struct arm *arm, enum e000_tables tables, const struct kernbench_args *a)
{
    gfp_t boot_gfp = __userpte_alloc_gfp;
    u32 before = nr_pagetable, pages = nr_free_pages();

    *arm = (struct arm){.name = e000_booted_high() && tables == TABLES_AS_BOOTED ? "highmem"
                                                                                 : "lowmem"};
    now = arm;
    if (tables == TABLES_LOW)
        BUG_ON(setup_userpte("nohigh"));
    struct task *task =
        task_create((void (*)(void))user_kernbench, sizeof *a / sizeof(u32), (const u32 *)a);

    BUG_ON(!task);
    task_mark_hook = at_mark;
    map_groups(task->mm, a);
    s32 code = task_run(task);

    task_mark_hook = NULL;
    set_userpte_gfp(boot_gfp);
    if (code)
        panic("e000: kernbench ended with %d", code);
    arm->lost_pages = (s32)(pages - nr_free_pages());
    arm->lost_tables = (s32)(nr_pagetable - before);
}

void e000_print_head(void)
{
    kprintf("  PTE pages            kernel      user     total   maps  slots   tlbi   dtlb  "
            "high/low\n");
}

void e000_print_arm(const struct arm *arm)
{
    const u64 *e = arm->pmu.event;

    kprintf("  %-16s %9llu %9llu %9llu %6llu %6llu %6llu %6llu  %u/%u\n", arm->name,
            e000_kernel_cycles(arm), e000_user_cycles(arm), arm->pmu.cycles, arm->maps, arm->slots,
            e[GRANULE_EVENT_TLBI_VA], e[GRANULE_EVENT_DTLB_MISS], arm->audit.pte_pages_high,
            arm->audit.pte_pages_low);
}

/* Page tables want many pages, memory and simulation time allow few to be written: the written part
 * shrinks as pages grow. */
bool e000_size_task(struct kernbench_args *task)
{
    static const struct {
        u32 tables, pages, writes;
    } sizes[] = {{12, 24, 4}, {4, 24, 1}, {2, 48, 1}}; /* 4K, 16K, 64K */
    u32 index = geometry_granule(&kernel_geometry), span = PTE_PAGE_SPAN;

    if (user_geometry.start_level == LEAF_LEVEL)
        return false;
    u32 base = ALIGN_UP(USER_DATA, span), stride = span + (SKEW_PAGES << PAGE_SHIFT);

    *task = (struct kernbench_args){
        .base = base,
        .stride = stride,
        .tables = MIN(sizes[index].tables, (TASK_SIZE - base) / stride),
        .pages = sizes[index].pages,
        .writes = sizes[index].writes,
        .page_size = PAGE_SIZE,
        .rounds = 1,
    };
    return task->tables > 0;
}
