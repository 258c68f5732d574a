/* Hands memory to the page allocator and opens the mapping windows. */
#include "drivers/cache.h"
#include "drivers/mmu.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"
#include "image.h"
#include "lib/printf.h"
#include "mm/early.h"
#include "mm/hashed_table.h"
#include "mm/highmem.h"
#include "mm/paging.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"

/* Highmem that a physical address of this MMU can name. */
static u32 high_pages(void)
{
    if (mmu_pa_bits() <= 32)
        return 0;
    return bytes_to_pages(sysinfo_highmem_bytes());
}

static void init_zones(void)
{
    pfn_t low = paddr_to_pfn(GRANULE_LOWMEM_BASE), high = paddr_to_pfn(GRANULE_HIGHMEM_BASE);
    u32 nr_low = paddr_to_pfn(early_lowmem_end()) - low, nr_high = high_pages();
    struct page *map = early_alloc((nr_low + nr_high) * sizeof(struct page), PAGE_SIZE);

    page_alloc_init(map, low, nr_low, high, nr_high);
    pfn_t image_end = paddr_to_pfn((uintptr_t)__image_end);
    pfn_t early_start = paddr_to_pfn(early_reserved_start());

    reserve_range(low, image_end);
    free_range(image_end, early_start);
    reserve_range(early_start, low + nr_low);
    free_range(high, high + nr_high);
}

/* Only a cache that is indexed by virtual address and has ways above the page size cares about
 * colours of mappings; the windows have room for KMAP_COLOUR_MAX of them. */
static void init_windows(const struct cache_geometry *cache)
{
    u32 colours = l1d_alias_mode() == L1D_PHYSICAL ? 1 : cache_colours(cache, PAGE_SHIFT);

    if (colours > KMAP_COLOUR_MAX) {
        kprintf("%u cache colours, mapping windows keep %u apart\n", colours, KMAP_COLOUR_MAX);
        colours = KMAP_COLOUR_MAX;
    }
    kmap_colours = colours;
    pkmap_init();
    pkmap_pte_init(pte_offset_kernel(PKMAP_BASE));
    kmap_local_init(pte_offset_kernel(FIX_KMAP_BASE));
}

void mem_init(void)
{
    struct cache_geometry cache;

    init_zones();
    if (!cache_get_info(CACHE_DATA, &cache) || !is_pow2(cache_bytes(&cache)))
        kprintf("data cache geometry unknown: one zero page\n");
    tlb_range_operations = mmu_has_range_invalidation();
    init_windows(&cache);
    hashed_table_init();
    userpte_settle(sysinfo_lowmem_bytes() + sysinfo_highmem_bytes(), sysinfo_lowmem_bytes());
    mm_init_reserved();
    setup_zero_pages(ZP_WAY, &cache);
}
