/* A task reads a hole; what the kernel did for it is looked at when it has read its last page. */
#include "drivers/cache.h"
#include "drivers/pmu.h"
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"
#include "user/user.h"

static struct hole_read *now;
static struct pmu_snapshot pmu;

/* Nothing of it may be locked, and the new method's are zero pages of the right colour. */
static bool entry_is_right(const void *entry, vaddr_t address)
{
    if (now->method == DAX_HOLE_PAGECACHE)
        return !xa_is_value(entry) && ((const struct page *)entry)->flags & PG_FILE;
    return xa_is_value(entry) && dax_entry_flags(entry) == DAX_ZERO_PAGE &&
           dax_to_pfn(entry) == my_zero_pfn(address);
}

static bool pte_is_right(pte_t pte, vaddr_t address)
{
    if (!pte_present(pte) || pte_writable(pte))
        return false;
    if (now->method == DAX_HOLE_PAGECACHE)
        return !pte_special(pte);
    return pte_special(pte) && pte_pfn(pte) == my_zero_pfn(address);
}

static void look_at_pages(void)
{
    struct xarray *index = &now->file->i_mapping.i_pages;
    vaddr_t at = HOLE_BASE, end = at + (now->pages << PAGE_SHIFT);

    while (at < end) {
        vaddr_t stop = pte_page_end(at, end);
        struct pte_slot *base = pte_offset_map(current_mm, at), *slot = base;

        for (; at != stop; at += PAGE_SIZE, slot = slot ? ptep_next(slot) : NULL) {
            now->wrong_ptes += !slot || !pte_is_right(ptep_get(slot), at);
            now->wrong_entries +=
                !entry_is_right(xa_load(index, (at - HOLE_BASE) >> PAGE_SHIFT), at);
        }
        if (base)
            pte_unmap(base);
    }
}

/* Both methods begin with empty caches and TLB. */
static void at_mark(u32 mark)
{
    if (mark == MARK_BEGIN) {
        now->faults = fault_stats.faults;
        dax_trace = (struct dax_trace){.clock = pmu_cycles, .parts = now->parts};
        cache_flush_data();
        flush_tlb_all();
        pmu_snapshot(&pmu);
        return;
    }
    pmu_since(&pmu);
    now->trace = dax_trace;
    dax_trace = (struct dax_trace){0};
    now->cycles = pmu.cycles;
    now->kernel_cycles = pmu.event[GRANULE_EVENT_KERNEL_CYCLES];
    now->faults = fault_stats.faults - now->faults;
    now->smaps = smap_gather_stats(vma_lookup(current_mm, HOLE_BASE));
    if (now->show)
        smaps_dump_vma(vma_lookup(current_mm, HOLE_BASE));
    now->nrpages = now->file->i_mapping.nrpages;
    now->nrexceptional = now->file->i_mapping.nrexceptional;
    now->tables = current_mm->nr_tables;
    look_at_pages();
}

void e004_read(struct hole_read *r)
{
    const u32 args[] = {HOLE_BASE, PAGE_SIZE, r->pages};
    enum dax_hole_method before = dax_hole_method;
    struct task *task = task_create((void (*)(void))user_holebench, ARRAY_SIZE(args), args);

    if (!task ||
        mm_map_file(task->mm, HOLE_BASE, r->pages << PAGE_SHIFT, VM_DATA | VM_SHARED, r->file, 0))
        panic("e004: a task that maps %u pages of a file cannot be made", r->pages);
    now = r;
    dax_hole_method = r->method;
    task_mark_hook = at_mark;
    r->exit_code = task_run(task);
    task_mark_hook = NULL;
    dax_hole_method = before;
    dax_trace = (struct dax_trace){0}; /* a task that was killed never got to its end */
}

/* Least time between two looks at the clock with nothing in between. */
static u64 clock_cost(void)
{
    u64 least = ~0ull;

    for (u32 i = 0; i < 16; i++) {
        u64 start = pmu_cycles();

        least = MIN(least, pmu_cycles() - start);
    }
    return least;
}

s64 e004_mean_e6(const struct hole_read *r)
{
    return ratio_e6((s64)r->trace.cycles, r->trace.calls) - (s64)clock_cost() * E6;
}
