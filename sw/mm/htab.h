/* The size of PowerPC's hashed page table, as Linux chose it in 2001 (linux-mm 5.2): one entry for
 * each page of memory, in groups of 8, at least 1024 groups, and a power of two of them. */
#ifndef MM_HTAB_H
#define MM_HTAB_H

#include "types.h"

#define HTAB_GROUP      8u
#define HTAB_GROUPS_MIN 1024u

static inline u32 htab_groups(u64 ram, unsigned page_shift)
{
    u32 wanted = (u32)(ram >> page_shift) / HTAB_GROUP, groups = HTAB_GROUPS_MIN;

    while (groups < wanted)
        groups *= 2;
    return groups;
}

static inline u32 htab_entries(u64 ram, unsigned page_shift)
{
    return htab_groups(ram, page_shift) * HTAB_GROUP;
}

#endif
