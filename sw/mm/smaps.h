/* What an address space maps, in the form of Linux's /proc/PID/smaps. */
#ifndef MM_SMAPS_H
#define MM_SMAPS_H

#include "mm/mm.h"

/* Bytes. Everything but the size follows from pages that stand behind PTEs: what is special, zero
 * pages above all, counts nowhere. */
struct mem_size_stats {
    u64 size, resident, pss;
    u64 shared_clean, shared_dirty, private_clean, private_dirty;
    u64 referenced, anonymous;
};

struct mem_size_stats smap_gather_stats(const struct vma *v);
void smaps_dump_vma(const struct vma *v);
void smaps_dump(struct mm *mm); /* every area, lowest first */

#endif
