/* Pages of a user that are invalidated many at a time: each is sent without waiting, and one wait
 * at the end is for all (drivers/mmu_post.h). Until then the old translations may be used, so no
 * page may be freed, and no address mapped anew. */
#ifndef MM_TLB_POST_H
#define MM_TLB_POST_H

#include "drivers/mmu_post.h"
#include "mm/mm.h"

/* The leaf of one page. `spared`: MMU_POST_NOT_CPU, MMU_POST_NOT_DEVICES or none. */
void flush_tlb_page_nosync(struct mm *mm, vaddr_t address, u32 spared);

#endif
