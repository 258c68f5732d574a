/* Calls of the page allocator pass through here (ld --wrap): some fail on demand, and no page goes
 * back while the TLB may still use it. Fresh pages that nobody asked to be zeroed, and freed ones,
 * hold rubbish whose words look like valid descriptors. */
#include "machine.h"

#define RUBBISH 0xdb

u32 alloc_fails_at;
bool alloc_failed;
static u32 calls;

void fail_allocation(u32 call)
{
    calls = 0;
    alloc_failed = false;
    alloc_fails_at = call;
}

struct page *__real_alloc_pages(gfp_t gfp, unsigned order);
struct page *__wrap_alloc_pages(gfp_t gfp, unsigned order);
void __real_put_page(struct page *page);
void __wrap_put_page(struct page *page);

struct page *__wrap_alloc_pages(gfp_t gfp, unsigned order)
{
    speculate();
    if (++calls == alloc_fails_at) {
        alloc_failed = true;
        return NULL;
    }
    struct page *page = __real_alloc_pages(gfp, order);

    alloc_failed |= !page;
    if (page && !(gfp & __GFP_ZERO))
        fill_page(page, RUBBISH);
    return page;
}

void __wrap_put_page(struct page *page)
{
    if (page->refcount == 1) {
        shadow_check_unused(page);
        fill_page(page, RUBBISH);
    }
    __real_put_page(page);
}
