/* Parts of the experiment of document 003. */
#ifndef EXPERIMENTS_E003_H
#define EXPERIMENTS_E003_H

#include "drivers/pmu.h"
#include "kernel/task.h"
#include "types.h"
#include "user/user.h"

/* What the counters say of each stage of a task, without what the marks themselves cost. */
struct stages {
    struct pmu_snapshot of[NR_STAGES];
    u32 tables[NR_STAGES]; /* page-table pages made meanwhile */
    u32 digest;            /* of the page tables before munmap */
};

/* Where tasks have their memory: at the start of a PTE page, unless the root is the only one. */
static inline vaddr_t e003_base(void)
{
    return PTE_PAGE_SPAN == TASK_SIZE ? USER_DATA : ALIGN_UP(USER_DATA, PTE_PAGE_SPAN);
}

/* Runs a task to its end and collects the stages between its marks. */
void e003_run_task(struct stages *stages, struct task *task);

/* H3.7, H3.8, H3.10: a mixed workload, one that computes, and the encoding of the sizes. */
void e003_mixed(void);

#endif
