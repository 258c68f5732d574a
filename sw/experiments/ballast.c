#include "experiments/ballast.h"

/* The blocks are a list through page->next. */
u32 ballast_take(u32 leave)
{
    u32 list = PAGE_NONE;

    for (unsigned order = MAX_ORDER + 1; order-- > 0;) {
        struct page *page;

        while (nr_free_pages() >= leave + BIT(order) &&
               (page = alloc_pages(GFP_HIGHUSER, order)) != NULL) {
            page->next = list;
            page->order = (u16)order;
            list = (u32)(page - mem_map);
        }
    }
    return list;
}

void ballast_drop(u32 ballast)
{
    while (ballast != PAGE_NONE) {
        struct page *page = mem_map + ballast;

        ballast = page->next;
        free_pages(page, page->order);
    }
}
