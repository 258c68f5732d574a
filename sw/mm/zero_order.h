/* How many zero pages there should be: the policies of the ports, as pure arithmetic. */
#ifndef MM_ZERO_ORDER_H
#define MM_ZERO_ORDER_H

#include "drivers/cache.h"

enum zero_policy {
    ZP_SINGLE, /* one page, whatever the cache */
    ZP_WAY,    /* one page per colour: way / page. What is useful */
    ZP_TOTAL,  /* whole cache / page: the rule of document 002 */
    ZP_S390,   /* order 7, capped by memory size */
    ZP_VCE,    /* order 3: MIPS parts with virtual-coherency exceptions */
};

/* Pages of different colour that one way holds; at least 1. */
u32 cache_colours(const struct cache_geometry *c, unsigned page_shift);

/* Order of the zero block. A geometry that is zero or no power of two gives order 0. */
unsigned zero_page_order(enum zero_policy policy, const struct cache_geometry *c,
                         unsigned page_shift, u32 total_pages, unsigned max_order);

#endif
