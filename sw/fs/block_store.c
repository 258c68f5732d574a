#include "fs/block_store.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "panic.h"

pfn_t bad_block;

static pfn_t first;
static u32 blocks, in_use;
static unsigned store_order;
static u32 used_map[BIT(MAX_ORDER) / 32];

bool block_store_open(unsigned order)
{
    BUG_ON(blocks);
    struct page *page = alloc_pages(GFP_HIGHUSER, order);

    if (!page)
        return false;
    store_order = order;
    blocks = BIT(order);
    first = page_to_pfn(page);
    in_use = 0;
    reserve_range(first, first + blocks);
    memset(used_map, 0, sizeof used_map);
    return true;
}

void block_store_close(void)
{
    BUG_ON(!blocks || in_use);
    for (u32 i = 0; i < blocks; i++)
        pfn_to_page(first + i)->flags = 0;
    blocks = 0;
    free_pages(pfn_to_page(first), store_order);
}

pfn_t block_alloc(void)
{
    for (u32 i = 0; i < blocks; i++) {
        if (used_map[i / 32] & BIT(i % 32))
            continue;
        used_map[i / 32] |= BIT(i % 32);
        in_use++;
        clear_highpage(pfn_to_page(first + i));
        return first + i;
    }
    return 0;
}

void block_free(pfn_t block)
{
    u32 i = block - first;

    BUG_ON(i >= blocks || !(used_map[i / 32] & BIT(i % 32)));
    used_map[i / 32] &= ~BIT(i % 32);
    in_use--;
}

bool is_block(pfn_t pfn)
{
    u32 i = pfn - first;

    return i < blocks && (used_map[i / 32] & BIT(i % 32));
}

u32 blocks_in_use(void)
{
    return in_use;
}
