#include "mm/zero_order.h"

static bool sane(const struct cache_geometry *c)
{
    return is_pow2(c->sets) && is_pow2(c->ways) && is_pow2(c->line_bytes);
}

static unsigned order_of(u32 bytes, unsigned page_shift)
{
    u32 pages = bytes >> page_shift;

    return pages ? log2_floor(pages) : 0;
}

u32 cache_colours(const struct cache_geometry *c, unsigned page_shift)
{
    return sane(c) ? 1u << order_of(cache_way_bytes(c), page_shift) : 1;
}

/* At most one zero page per 1024 pages of memory, but never below order 2 (linux-mm 2.1). */
static unsigned s390_order(u32 total_pages)
{
    unsigned order = 7;

    while (order > 2 && (1u << order) > total_pages / 1024)
        order--;
    return order;
}

unsigned zero_page_order(enum zero_policy policy, const struct cache_geometry *c,
                         unsigned page_shift, u32 total_pages, unsigned max_order)
{
    unsigned order = 0;

    switch (policy) {
    case ZP_SINGLE:
        break;
    case ZP_WAY:
        order = log2_floor(cache_colours(c, page_shift));
        break;
    case ZP_TOTAL:
        order = sane(c) ? order_of(cache_bytes(c), page_shift) : 0;
        break;
    case ZP_S390:
        order = s390_order(total_pages);
        break;
    case ZP_VCE:
        order = 3;
        break;
    }
    return MIN(order, max_order);
}
