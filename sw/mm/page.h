/* struct page, the two zones and the page allocator.
 *
 * ZONE_LOW is mapped for good at VA = PA. ZONE_HIGH has no kernel address: kmap or kmap_local it.
 * alloc_pages gives 2^order frames aligned to their size, and falls back from HIGH to LOW.
 */
#ifndef MM_PAGE_H
#define MM_PAGE_H

#include "mm/page_size.h"
#include "types.h"

#define MAX_ORDER 10 /* largest block: 2^10 pages */

enum zone_id { ZONE_LOW, ZONE_HIGH, NR_ZONES };

#define PG_RESERVED BIT(0) /* never allocated: kernel image, zero pages */
#define PG_FREE     BIT(1) /* head of a free block of `order` */
#define PG_TABLE    BIT(2) /* page-table page, between its constructor and destructor */
#define PG_SLAB     BIT(3) /* holds objects of a kmem_cache */
#define PG_FILE     BIT(4) /* in the page cache, which holds one of its references */

struct page {
    u16 flags;
    u16 order; /* of the free block this page heads */
    s32 refcount;
    u32 next, prev; /* indexes into mem_map: free list, or the caller's own list */
};

#define PAGE_NONE 0xffffffffu /* end of a list */

struct zone {
    const char *name;
    pfn_t start_pfn;
    u32 pages; /* spanned; there are no holes */
    u32 first; /* index of its first page in mem_map */
    u32 free;  /* pages free now */
    u32 free_head[MAX_ORDER + 1];
};

extern struct zone zones[NR_ZONES];
extern struct page *mem_map;

typedef u32 gfp_t;

#define __GFP_HIGHMEM BIT(0)
#define __GFP_ZERO    BIT(1)
#define GFP_KERNEL    0u
#define GFP_HIGHUSER  __GFP_HIGHMEM

/* Builds the zones over `map`, zeroed, with one element a page (LOW's first). No page is free at
 * first: each is either reserved for good or handed to the allocator. */
void page_alloc_init(struct page *map, pfn_t low_pfn, u32 low_pages, pfn_t high_pfn,
                     u32 high_pages);
void reserve_range(pfn_t start, pfn_t end);
void free_range(pfn_t start, pfn_t end);

/* NULL when neither zone that `gfp` allows has a block of that order. */
struct page *alloc_pages(gfp_t gfp, unsigned order);
void free_pages(struct page *page, unsigned order);

static inline struct page *alloc_page(gfp_t gfp)
{
    return alloc_pages(gfp, 0);
}

/* References: alloc_pages gives one to the first page; put_page frees at zero. */
static inline void get_page(struct page *page)
{
    page->refcount++;
}
void put_page(struct page *page);

/* Makes single pages, each with its own reference, of a fresh block. */
void split_page(struct page *page, unsigned order);

/* Reserved pages leave the allocator for good (zero pages). */
static inline void set_page_reserved(struct page *page)
{
    page->flags |= PG_RESERVED;
}

static inline bool page_is_high(const struct page *page)
{
    return page >= mem_map + zones[ZONE_HIGH].first;
}

static inline struct zone *page_zone(const struct page *page)
{
    return &zones[page_is_high(page) ? ZONE_HIGH : ZONE_LOW];
}

static inline pfn_t page_to_pfn(const struct page *page)
{
    const struct zone *z = page_zone(page);

    return z->start_pfn + ((u32)(page - mem_map) - z->first);
}

/* NULL when no memory is there. */
static inline struct page *pfn_to_page(pfn_t pfn)
{
    u32 low = pfn - zones[ZONE_LOW].start_pfn, high = pfn - zones[ZONE_HIGH].start_pfn;

    if (low < zones[ZONE_LOW].pages)
        return mem_map + low;
    return high < zones[ZONE_HIGH].pages ? mem_map + zones[ZONE_HIGH].first + high : NULL;
}

static inline paddr_t page_to_paddr(const struct page *page)
{
    return pfn_to_paddr(page_to_pfn(page));
}

static inline u32 nr_free_pages(void)
{
    return zones[ZONE_LOW].free + zones[ZONE_HIGH].free;
}

/* Supplied by mm/highmem: clears a frame of either zone. */
void clear_highpage(struct page *page);

#endif
