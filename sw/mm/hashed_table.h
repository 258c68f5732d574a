/* The table of translations in memory that some MMUs probe before they walk and fill afterwards
 * (docs/hashed-table.md). Software takes away what it unmaps. Only the image `hashed` knows of it;
 * in others these do nothing and cost nothing. */
#ifndef MM_HASHED_TABLE_H
#define MM_HASHED_TABLE_H

#include "types.h"

#ifdef GRANULE_HASHED_TABLE

/* Boot argument htab=on. For the boot, when the page allocator has memory. */
void hashed_table_init(void);

extern u32 hashed_table_bytes; /* 0: it is off */

/* Take entries away; whether there were any, so that TLBs may have got them from here since the
 * invalidation before. Of the upper half the ASID does not count. */
bool hashed_table_remove(vaddr_t start, u32 pages, u32 asid);
bool hashed_table_remove_asid(u32 asid);
bool hashed_table_wipe(void);
/* As Linux flushed everything in 2001: looks at every PTE of the kernel's tables, takes away what
 * was accessed, and invalidates. How many PTEs there were. */
u32 hashed_table_scan(void);

#else

#define hashed_table_bytes 0u

static inline void hashed_table_init(void)
{
}

static inline bool hashed_table_remove(vaddr_t start, u32 pages, u32 asid)
{
    return (void)start, (void)pages, (void)asid, false;
}

static inline bool hashed_table_remove_asid(u32 asid)
{
    return (void)asid, false;
}

static inline bool hashed_table_wipe(void)
{
    return false;
}

#endif
#endif
