/* Level-1 caches: their geometry from the identification registers, and maintenance. */
#ifndef DRIVERS_CACHE_H
#define DRIVERS_CACHE_H

#include "types.h"

/* Geometry of one cache; all zero when unknown. */
struct cache_geometry {
    u32 sets;
    u32 ways;
    u32 line_bytes;
};

static inline u32 cache_way_bytes(const struct cache_geometry *c)
{
    return c->sets * c->line_bytes;
}

static inline u32 cache_bytes(const struct cache_geometry *c)
{
    return cache_way_bytes(c) * c->ways;
}

enum cache_kind { CACHE_DATA, CACHE_INSTRUCTION };

/* Reads CLIDR, CSSELR and CCSIDR (64-bit format). False and all zero: there is no such cache. */
bool cache_get_info(enum cache_kind kind, struct cache_geometry *geometry);

/* The same by CCSIDR as it is without FEAT_CCIDX: 10 bits for the ways and 15 for the sets. */
bool cache_get_info_narrow(enum cache_kind kind, struct cache_geometry *geometry);

/* How the data cache chooses a victim: "LRU", "tree-PLRU", "NRU" or "random". */
enum cache_policy { CACHE_LRU, CACHE_PLRU, CACHE_NRU, CACHE_RANDOM };
enum cache_policy cache_policy(void);
const char *cache_policy_name(enum cache_policy policy);

/* What the data cache does with a line that is reached under several colours (linux-mm 2.5):
 * it is indexed by physical address, so that there are none; it keeps the line under one of them;
 * or it keeps copies as long as nobody writes. */
enum l1d_alias_mode { L1D_PHYSICAL, L1D_ONE_COPY, L1D_COPIES };
enum l1d_alias_mode l1d_alias_mode(void);
const char *l1d_alias_name(enum l1d_alias_mode mode);

/* Cleans and invalidates the whole data cache. */
void cache_flush_data(void);

/* The lines of a range, one by one: written back, and dropped, too (Zicbom). */
void cache_clean_range(const void *start, u32 bytes);
void cache_flush_range(const void *start, u32 bytes);

/* Makes stored instructions visible to fetch. */
static inline void flush_icache(void)
{
    __asm__ volatile("fence.i" ::: "memory");
}

#endif
