/* Parts of the experiment of document 000. */
#ifndef EXPERIMENTS_E000_H
#define EXPERIMENTS_E000_H

#include "drivers/pmu.h"
#include "mm/audit.h"
#include "user/user.h"

/* What one arm of the comparison did between its two marks. */
struct arm {
    const char *name;
    struct pmu_snapshot pmu;
    u64 maps;  /* pte_offset_map calls */
    u64 slots; /* kmap_local slots used: by PTE pages and by data pages in highmem */
    struct mm_audit audit;
    s32 lost_pages, lost_tables;
};

/* Fits the task to granule and memory; false: there are no PTE pages below the root. */
bool e000_size_task(struct kernbench_args *args);

/* H0.5 to H0.7: the document's arithmetic, and the same for this machine. */
void e000_arithmetic(void);

/* Cycles of one map and unmap, highmem and lowmem; and that no slot stays mapped (C.2.7). */
void e000_pair_cost(void);

#endif
