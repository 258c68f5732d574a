/* What the parts of experiment e001 share. */
#ifndef EXPERIMENTS_E001_H
#define EXPERIMENTS_E001_H

#include "lib/csr.h"
#include "lib/printf.h"
#include "mm/highmem.h"
#include "types.h"

#define E001_PAGES 1024u /* the pool of document 001 */

/* Of flushing, in millionths of a cycle. `page` is timed inside, `loop` in the caller. */
struct e001_costs {
    s64 clean, page, loop; /* a page; clean: never accessed */
    s64 range, all;        /* the operation on E001_PAGES slots, and on everything */
};

void e001_arithmetic(void);
struct e001_costs e001_measure_costs(void);
void e001_collateral(const struct e001_costs *costs);
void e001_rules(void);
void e001_pools(void);

/* What the hashed table adds; only the image that knows of it has that. */
#ifdef GRANULE_HASHED_TABLE
void e001_hashed(void);
#else
static inline void e001_hashed(void)
{
}
#endif

extern bool e001_full; /* boot argument e001=full: all sizes, for plots */

static inline u32 e001_now(void)
{
    return csr_read(CSR_CYCLE);
}

/* Slots 0 .. n-1 map `page`. Of 100 of them `percent` were accessed since, evenly spread. The pool
 * must be empty, and is so again when all n were cleared. */
void e001_map_slots(struct page *page, u32 n, u32 percent);

#endif
