#include "mm/highmem.h"
#include "lib/string.h"

void (*clear_user_highpage)(struct page *page) = clear_highpage;
void (*copy_user_highpage)(struct page *to, struct page *from) = copy_highpage;

void clear_highpage(struct page *page)
{
    void *to = kmap_local_page(page);

    memset(to, 0, PAGE_SIZE);
    kunmap_local(to);
}

void copy_highpage(struct page *to, struct page *from)
{
    void *source = kmap_local_page(from);
    void *target = kmap_local_page(to);

    memcpy(target, source, PAGE_SIZE);
    kunmap_local(target);
    kunmap_local(source);
}
