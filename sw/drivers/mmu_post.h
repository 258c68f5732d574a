/* Invalidations that are sent without waiting for each, and that may spare an MMU. Not every
 * machine has that (GranuleConfig: postedTlbis). */
#ifndef DRIVERS_MMU_POST_H
#define DRIVERS_MMU_POST_H

#include "drivers/mmu.h"

/* Bits of TLBI_COMMAND. */
#define MMU_POST_LAST_LEVEL  BIT(3)
#define MMU_POST_NOT_CPU     BIT(5) /* the CPU's MMU has nothing of it */
#define MMU_POST_NOT_DEVICES BIT(6) /* no device has: a local invalidation */

bool mmu_posts_tlbis(void);
/* They are done in their order. Waits only while the queue is full. */
void mmu_tlbi_post(enum mmu_tlbi kind, u32 options, u64 operand);
void mmu_tlbi_sync(void); /* all that were sent are complete */

u32 mmu_tlbi_places(void); /* how many the queue keeps */
u16 mmu_tlbi_held(void);   /* how many waited for a place; it wraps */

#endif
