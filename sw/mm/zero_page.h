/* Zero pages, one per colour of the data cache: what a read of untouched memory maps. */
#ifndef MM_ZERO_PAGE_H
#define MM_ZERO_PAGE_H

#include "mm/page.h"
#include "mm/zero_order.h"

extern u32 zero_page_mask; /* bits of an address that choose the page */
extern pfn_t zero_pfn;     /* pfn of ZERO_PAGE(0); 0 before setup_zero_pages */

/* Allocates the block that `policy` asks for, each page zeroed and reserved. ZP_TOTAL takes what
 * it can get, one order less at a time; the others panic when memory is short. */
void setup_zero_pages(enum zero_policy policy, const struct cache_geometry *cache);

/* Goes over to another policy; allowed only while no user mapping exists. Blocks stay allocated
 * and are used again when their policy returns. */
void zero_pages_switch(enum zero_policy policy, const struct cache_geometry *cache);

static inline u32 zero_colours(void)
{
    return bytes_to_pages(zero_page_mask) + 1;
}

static inline pfn_t my_zero_pfn(vaddr_t address)
{
    return zero_pfn + bytes_to_pages(address & zero_page_mask);
}

static inline struct page *ZERO_PAGE(vaddr_t address)
{
    return pfn_to_page(my_zero_pfn(address));
}

/* One compare: below zero_pfn the difference wraps to a large number. */
static inline bool is_zero_pfn(pfn_t pfn)
{
    return pfn - zero_pfn <= bytes_to_pages(zero_page_mask);
}

/* True when every byte of every zero page that was ever set up is zero. */
bool zero_pages_clean(void);

#endif
