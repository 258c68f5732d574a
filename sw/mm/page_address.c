/* Where a page of highmem is mapped for long: page -> address, Linux's page_address_htable. The
 * descriptor of slot n of the kmap pool is number n, so no allocation can fail. */
#include "lib/string.h"
#include "mm/highmem.h"
#include "panic.h"

#define BUCKETS   1024u /* Linux: 128 for as many slots; chains of 8 would outweigh the rest */
#define SLOT_NONE 0xffffu

static struct page *slot_page[PKMAP_MAX];
static u16 slot_next[PKMAP_MAX];
static u16 bucket[BUCKETS];

void page_address_init(void)
{
    for (u32 i = 0; i < BUCKETS; i++)
        bucket[i] = SLOT_NONE;
    memset(slot_page, 0, sizeof slot_page);
}

static u16 *bucket_of(const struct page *page)
{
    return &bucket[page_to_pfn(page) % BUCKETS];
}

void *page_address(const struct page *page)
{
    if (!page_is_high(page))
        return lowmem_address(page);
    u32 slot = *bucket_of(page);

    while (slot != SLOT_NONE && slot_page[slot] != page)
        slot = slot_next[slot];
    return slot == SLOT_NONE ? NULL : pkmap_address(slot);
}

void set_page_address(struct page *page, void *address)
{
    u32 slot = pkmap_nr(address);

    BUG_ON(slot_page[slot]);
    u16 *head = bucket_of(page);

    slot_page[slot] = page;
    slot_next[slot] = *head;
    *head = (u16)slot;
}

void clear_page_address(void *address)
{
    u32 slot = pkmap_nr(address);

    BUG_ON(!slot_page[slot]);
    u16 *link = bucket_of(slot_page[slot]);

    while (*link != slot)
        link = &slot_next[*link];
    *link = slot_next[slot];
    slot_page[slot] = NULL;
}

struct page *kmap_to_page(const void *address)
{
    u32 slot = pkmap_nr(address);

    if (slot < nr_pkmap)
        return slot_page[slot];
    return pfn_to_page(bytes_to_pages(kernel_va(address)));
}
