/* Level-1 caches: their geometry from the identification registers, and maintenance. */
#ifndef DRIVERS_CACHE_H
#define DRIVERS_CACHE_H

#include "mm/zero_order.h"
#include "types.h"

enum cache_kind { CACHE_DATA, CACHE_INSTRUCTION };

/* Reads CLIDR, CSSELR and CCSIDR (64-bit format). False and all zero: there is no such cache. */
bool cache_get_info(enum cache_kind kind, struct cache_geometry *geometry);

/* How the data cache chooses a victim: "LRU", "tree-PLRU", "NRU" or "random". */
enum cache_policy { CACHE_LRU, CACHE_PLRU, CACHE_NRU, CACHE_RANDOM };
enum cache_policy cache_policy(void);
const char *cache_policy_name(enum cache_policy policy);

/* True when the data cache is indexed by virtual address and keeps one copy of a line, so that
 * reading a line under another colour moves it. */
bool cache_alias_exclusive(void);

/* Cleans and invalidates the whole data cache. */
void cache_flush_data(void);

/* Makes stored instructions visible to fetch. */
static inline void flush_icache(void)
{
    __asm__ volatile("fence.i" ::: "memory");
}

#endif
