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

static inline u64 e000_kernel_cycles(const struct arm *arm)
{
    return arm->pmu.event[GRANULE_EVENT_KERNEL_CYCLES];
}

static inline u64 e000_user_cycles(const struct arm *arm)
{
    return arm->pmu.event[GRANULE_EVENT_USER_CYCLES];
}

/* Where the user PTE pages of an arm lie: as the boot chose, or in lowmem. */
enum e000_tables { TABLES_AS_BOOTED, TABLES_LOW };

/* Runs the task once from empty caches and TLB (experiments/e000_arm.c). */
void e000_run_arm(struct arm *arm, enum e000_tables tables, const struct kernbench_args *task);
/* True when the boot puts user PTE pages into highmem and there is some. */
bool e000_booted_high(void);

/* Fits the task to granule and memory; false: there are no PTE pages below the root. */
bool e000_size_task(struct kernbench_args *task);
/* The table of arms for people. */
void e000_print_head(void);
void e000_print_arm(const struct arm *arm);

/* H0.5 to H0.10: the document's arithmetic. */
void e000_arithmetic(void);

/* Cycles of one map and unmap, highmem and lowmem; and that no slot stays mapped (C.2.7). */
void e000_pair_cost(void);

#endif
