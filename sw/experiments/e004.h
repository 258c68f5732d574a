/* Parts of the experiment of document 004. */
#ifndef EXPERIMENTS_E004_H
#define EXPERIMENTS_E004_H

#include "fs/dax.h"
#include "mm/smaps.h"

/* Where tasks and the kernel's own address spaces map the file. */
#define HOLE_BASE 0x10000000u

/* A file, and a task that reads a part of it: what it cost, and what was there when it ended. */
struct hole_read {
    enum dax_hole_method method;
    struct inode *file;
    u32 pages;
    bool parts; /* look at the clock between the parts of load_hole */
    bool show;  /* print its smaps when it has read */

    struct dax_trace trace;
    u32 faults;
    u64 kernel_cycles, cycles;
    struct mem_size_stats smaps;
    u32 nrpages, nrexceptional; /* of the file's mapping */
    u32 wrong_entries, wrong_ptes;
    u32 tables; /* page tables of the task */
    s32 exit_code;
};

void e004_read(struct hole_read *r);

/* Mean of one call of load_hole, without the time of looking at the clock. */
s64 e004_mean_e6(const struct hole_read *r);

/* Invariants of linux-mm F.2 and errors of F.3, and the price of the first write. */
void e004_invariants(void);
void e004_first_write(void);

/* Cache misses of whoever reads the hole again and again. */
void e004_colours(void);

/* Memory taken, page by page. */
void e004_memory(void);

/* A hole that is larger than the memory that is free. */
void e004_pressure(void);

#endif
