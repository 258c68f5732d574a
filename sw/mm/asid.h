/* Who has which ASID. Two policies:
 *
 * generations (default), as arch/arm64/mm/context.c: an address space gets an ASID when it runs,
 * and no ASID is given out twice in a generation. When all are used, a new generation begins:
 * everything is flushed, and who runs or has a device keeps its ASID.
 *
 * reuse, for comparison: an address space has its ASID from mm_alloc on, and the next owner finds
 * nothing of it because an exit flushes what it unhooks.
 */
#ifndef MM_ASID_H
#define MM_ASID_H

#include "mm/mm.h"

enum asid_policy { ASID_GENERATIONS, ASID_REUSE };
extern enum asid_policy asid_policy; /* boot argument asid=; only while no address space exists */
int setup_asid(char *arg);

void asid_born(struct mm *mm); /* a new address space */
void asid_runs(struct mm *mm); /* before it is in TTBR0 */
/* It has an ASID, and nobody else has the same; that may end when another one runs. */
bool asid_in_force(const struct mm *mm);
/* A device uses mm->asid from here on, till unpin: it stays the same. */
void asid_pin(struct mm *mm);
void asid_unpin(struct mm *mm);

struct asid_stats {
    u32 assigned, rollovers;
};
extern struct asid_stats asid_stats;

#endif
