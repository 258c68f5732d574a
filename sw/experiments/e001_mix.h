/* Workloads that hold slots of the kmap pool for different times: e001_mix.c. */
#ifndef EXPERIMENTS_E001_MIX_H
#define EXPERIMENTS_E001_MIX_H

#include "mm/page.h"
#include "types.h"

/* A map lasts 0 .. brief more maps; one of `share` lasts up to `lasting` of them (share 0: none).
 */
struct kmap_mix {
    u32 seed, brief, share, lasting;
};

struct kmap_mix_result {
    u32 sweeps, swept; /* slots that these sweeps recycled */
    u32 wrong;         /* sweeps that did not leave exactly what was held */
};

/* Maps page after page of the ring, through page->next, until so many sweeps were made after the
 * first one; `touch` gets each address. The ring is longer than the pool. All is unmapped again. */
struct kmap_mix_result kmap_mix_run(const struct kmap_mix *mix, struct page *ring, u32 sweeps,
                                    void (*touch)(void *address));

#endif
