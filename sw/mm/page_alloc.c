/* Buddy allocator: free blocks of 2^order pages, split on demand, merged with their buddies. */
#include "mm/page.h"
#include "panic.h"

struct zone zones[NR_ZONES];
struct page *mem_map;

static u32 index_of(const struct page *page)
{
    return (u32)(page - mem_map);
}

static void zone_init(enum zone_id id, const char *name, pfn_t start, u32 pages, u32 first)
{
    struct zone *z = &zones[id];

    *z = (struct zone){.name = name, .start_pfn = start, .pages = pages, .first = first};
    for (unsigned order = 0; order <= MAX_ORDER; order++)
        z->free_head[order] = PAGE_NONE;
}

void page_alloc_init(struct page *map, pfn_t low_pfn, u32 low_pages, pfn_t high_pfn, u32 high_pages)
{
    mem_map = map;
    zone_init(ZONE_LOW, "LOW", low_pfn, low_pages, 0);
    zone_init(ZONE_HIGH, "HIGH", high_pfn, high_pages, low_pages);
}

static void list_add(struct zone *z, struct page *page, unsigned order)
{
    u32 head = z->free_head[order], index = index_of(page);

    page->next = head;
    page->prev = PAGE_NONE;
    if (head != PAGE_NONE)
        mem_map[head].prev = index;
    z->free_head[order] = index;
    page->flags |= PG_FREE;
    page->order = (u16)order;
}

static void list_remove(struct zone *z, struct page *page)
{
    if (page->prev != PAGE_NONE)
        mem_map[page->prev].next = page->next;
    else
        z->free_head[page->order] = page->next;
    if (page->next != PAGE_NONE)
        mem_map[page->next].prev = page->prev;
    page->flags &= (u16)~PG_FREE;
}

/* Blocks are aligned by frame number, not by place in the zone: a block of 2^n pages starts at a
 * physical address that is a multiple of its size, as tables and zero pages need it. */
static struct page *buddy_of(struct zone *z, pfn_t pfn, unsigned order)
{
    pfn_t buddy = pfn ^ (1u << order);

    if (buddy - z->start_pfn >= z->pages)
        return NULL;
    struct page *page = mem_map + z->first + (buddy - z->start_pfn);

    return (page->flags & PG_FREE) && page->order == order ? page : NULL;
}

void free_pages(struct page *page, unsigned order)
{
    struct zone *z = page_zone(page);
    pfn_t pfn = page_to_pfn(page);
    struct page *buddy;

    BUG_ON(page->flags & (PG_FREE | PG_RESERVED | PG_TABLE));
    BUG_ON(pfn & ((1u << order) - 1));
    page->refcount = 0;
    z->free += 1u << order;
    for (; order < MAX_ORDER && (buddy = buddy_of(z, pfn, order)); order++) {
        list_remove(z, buddy);
        if (buddy < page)
            page = buddy;
        pfn &= ~(1u << order);
    }
    list_add(z, page, order);
}

static struct page *alloc_from(struct zone *z, unsigned order)
{
    unsigned found = order;

    while (found <= MAX_ORDER && z->free_head[found] == PAGE_NONE)
        found++;
    if (found > MAX_ORDER)
        return NULL;
    struct page *page = mem_map + z->free_head[found];

    list_remove(z, page);
    while (found > order) { /* keep the lower half, give the upper one back */
        found--;
        list_add(z, page + (1u << found), found);
    }
    z->free -= 1u << order;
    page->refcount = 1;
    return page;
}

struct page *alloc_pages(gfp_t gfp, unsigned order)
{
    struct page *page = NULL;

    if (order > MAX_ORDER)
        return NULL;
    if (gfp & __GFP_HIGHMEM)
        page = alloc_from(&zones[ZONE_HIGH], order);
    if (!page)
        page = alloc_from(&zones[ZONE_LOW], order);
    if (page && (gfp & __GFP_ZERO))
        for (u32 i = 0; i < 1u << order; i++)
            clear_highpage(page + i);
    return page;
}

void put_page(struct page *page)
{
    BUG_ON(page->refcount <= 0);
    if (--page->refcount == 0)
        free_pages(page, 0);
}

void split_page(struct page *page, unsigned order)
{
    for (u32 i = 0; i < 1u << order; i++)
        page[i].refcount = 1;
}

void reserve_range(pfn_t start, pfn_t end)
{
    for (; start < end; start++)
        pfn_to_page(start)->flags = PG_RESERVED;
}

void free_range(pfn_t start, pfn_t end)
{
    while (start < end) {
        unsigned order = 0;

        while (order < MAX_ORDER && !(start & (1u << order)) && start + (2u << order) <= end)
            order++;
        free_pages(pfn_to_page(start), order);
        start += 1u << order;
    }
}
